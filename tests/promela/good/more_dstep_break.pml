byte x; active proctype P(){ do :: d_step { x<3 -> x++; x++ } :: else -> break od; x=0 }
