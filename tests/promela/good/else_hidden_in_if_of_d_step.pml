byte x=1; byte y; active proctype T(){ x=3; if :: x==3 -> y=2 :: d_step{ if :: else -> y=3 fi } fi }
