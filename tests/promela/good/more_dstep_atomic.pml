byte x,y; active proctype P(){ atomic { x=1; d_step { x=2; x=3 }; x=4 }; d_step { atomic { x=5; x=6 }; d_step { x=7 } ; x=8 } } active proctype Q(){ y=1; y=2 }
