/* The same in a small channel, which can be full and out of order, with a copy and a poll. */
chan c = [2] of { byte, byte }; byte n, m;
active proctype P() { do :: n < 3 -> c!!n%2,n; n++ :: n < 2 -> c!n,1; n++ :: else -> break od }
active proctype Q() { byte x; do :: c??1,x -> m = x :: c??<x,eval(m)> -> c??x,_ :: c??[m,0] -> c?x,_ od }
