short s=32767; byte b; bit t; int i; active proctype P(){ s++; s--; b--; b++; t++; t++; i = s*s; i = 7/2; i=-7/2; i= 1<<31; i = i>>3 }
