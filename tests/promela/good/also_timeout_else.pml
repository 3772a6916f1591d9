byte x; active proctype P(){ do :: x==0 -> x=1 :: timeout -> break :: else -> x=0; if :: x==0 :: x==1 fi; x=3; x=3 od }
