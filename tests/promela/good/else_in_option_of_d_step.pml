byte x=1; active proctype T(){ d_step{ if :: x==0 -> skip :: d_step{else -> x=3} fi } }
