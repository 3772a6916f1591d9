byte a=2; byte b=a; byte c[2]=b; active proctype P(){ b = c[1]; byte d=a+b; c[0]=d }
