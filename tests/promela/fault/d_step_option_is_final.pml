byte x; byte y;  active proctype T(){ d_step { y=1; if :: if :: x==1-> x=1 fi :: y==1 -> x=2 fi } }
