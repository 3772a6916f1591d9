byte i,x; active proctype P(){ atomic { i=0; do :: i<3 -> i++ :: i<2 -> i=i+2 :: else -> break od }; x=1 } active proctype Q() { x=7; i=1 }
