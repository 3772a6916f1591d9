byte x;
inline f(a) { f(a) }
active proctype P() { f(x) }
