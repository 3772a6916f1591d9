#define N 2
#define INC(x, by) x = x + by
#define TWICE(s) s; s
#ifdef N
# if N == 2 && defined(N)
byte x;
# else
int y;
# endif
#endif
active proctype P() { TWICE(INC(x, N)) ; assert(x == 4) }
