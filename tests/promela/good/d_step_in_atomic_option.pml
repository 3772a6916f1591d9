byte x; byte y;  active proctype T(){ atomic { if :: x==0 -> x=5 :: d_step { else -> x=3 } fi; x=4 } }
