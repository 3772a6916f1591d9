byte x; active proctype P(){ do :: x=1 :: x=2; break :: x==2 -> x=0 od } 
