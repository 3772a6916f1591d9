byte n; inline g(z) { n = z; if :: n>1 -> skip :: else -> n = 2 fi } inline f(a,b) { g(a); atomic { g(b); n++ } } active proctype P(){ f(0,5); do :: n<9 -> f(n,n+2) :: else -> break od }
