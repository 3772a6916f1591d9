byte x=1; active proctype T(){ do :: if :: x==0 -> x=4 :: else -> x=3 fi :: x==1 -> x=2 :: x > 2 -> break od }
