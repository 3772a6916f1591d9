byte x; proctype U(){ x = 9; run U() } active proctype P(){ x=1 }
