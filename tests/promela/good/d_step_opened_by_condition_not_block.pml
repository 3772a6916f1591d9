byte x; byte y;  active proctype T(){ d_step { if :: x==5 -> skip :: {x==0; x=1} fi } }
