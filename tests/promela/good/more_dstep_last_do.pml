byte i,x; active proctype P(){ do :: d_step { i=0; do :: i<3 -> i++ :: else -> break od }; x++; if :: x>2 -> break :: else fi od } active proctype Q() { x=7 }
