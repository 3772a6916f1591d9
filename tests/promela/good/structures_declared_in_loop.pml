typedef V {byte a; bit b[2]}; byte x=1; active proctype P() { do :: V r; V q; x==1 od }
