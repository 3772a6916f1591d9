byte x,y; active proctype P(){ do :: x<3 -> x++ :: x>0 -> x-- od unless { y==1 } ; x=7 } active proctype Q(){ y=1 }
