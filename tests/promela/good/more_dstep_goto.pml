byte x,y; active proctype P(){ d_step { x=0; L: x++; if :: x<3 -> goto L :: else fi; y=1 }; x=9 } active proctype Q(){ y=5 }
