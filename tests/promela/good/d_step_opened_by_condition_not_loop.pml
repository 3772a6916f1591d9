byte x; byte y;  active proctype T(){ d_step { if :: x==5 -> skip :: do :: x==0 -> x=1 :: else -> break od fi } }
