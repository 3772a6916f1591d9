byte x; byte y;  active proctype T(){ {x==0 ; x=2} unless { if :: y==0 -> y=9 :: y==0 -> y=8 :: else -> y=7 fi} }
