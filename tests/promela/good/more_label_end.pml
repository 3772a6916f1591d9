byte x; active proctype P(){ if :: x==0 -> goto L :: x==0 -> x=1 fi; x=2; L: }
