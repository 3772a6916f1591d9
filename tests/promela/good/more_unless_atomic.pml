byte x,y; active proctype P(){ { x=1; atomic { x=2; x=3; (y==1); x=4 }; x=5 } unless { y==2 -> x=9 } } active proctype Q(){ y=1; y=2 }
