byte x,y; active proctype P(){ if :: if :: x==0 -> y=1 :: x==1 -> y=2 fi; x=2 :: do :: y<2 -> y++ :: break od :: atomic { y==0 -> y=3; x=1 } :: { x=4; x=5 } fi }
