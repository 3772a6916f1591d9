#define F(a, b) a = b
byte x;
active proctype P() { F(x) }
