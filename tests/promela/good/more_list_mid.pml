byte n; active proctype P(){ skip; byte c[3] = {7,8,9}; n = c[0]; n = c[1]; n=c[2]; c[1]=0 }
