byte x,y; active proctype P(){ L: { x=1; x=2; if :: y==0 -> goto L :: else fi } unless { y==1 }; x=7 } active proctype Q(){ y=1 }
