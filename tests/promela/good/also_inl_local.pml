byte n; inline f(a) { byte t; t = a; n = t; t++ } active proctype P(){ f(3); f(4); n=1 }
