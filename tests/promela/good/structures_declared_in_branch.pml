typedef V {byte a; bit b[2]}; byte x=1; active proctype P() { do :: x<3 -> V h; V j; x=x+h.a+1; h.a=1 :: else -> break od }
