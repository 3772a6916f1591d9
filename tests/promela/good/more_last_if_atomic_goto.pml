byte x; active proctype P(){ A: atomic { x++; if :: x<3 -> goto A :: x>=3 -> skip fi }; atomic { if :: x>1 -> goto E :: else -> x=0 fi }; x=9; E: skip } active proctype Q(){ x=1 }
