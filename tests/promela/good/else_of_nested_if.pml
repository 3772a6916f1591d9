byte x=1; active proctype T(){ if :: if :: x==0 -> x=4 :: else -> x=3 fi :: x==1 -> x=2 fi }
