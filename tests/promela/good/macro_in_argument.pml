/* A macro may be used inside its own arguments, and not inside its own expansion. */
#define inc(x) ((x) + 1)
#define twice(x) inc(x) + inc(inc(x))
#define first(x) second(x)
#define second(x) x + first
#define id(x) x
byte x, first, own;
#define own own + 1
active proctype P() {
  x = inc(inc(1)); assert(x == 3)
  x = inc(inc(inc(inc(0)))); assert(x == 4)
  x = twice(twice(1)); assert(x == 13)
  first = 2
  x = first(first(1)) + first; assert(x == 7)
  x = id(id(own)); assert(x == 1)
}
