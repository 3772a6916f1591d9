byte x;
inline f(a, b) { a = b }
active proctype P() { f(x) }
