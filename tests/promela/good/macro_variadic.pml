/* Macros that take any number of arguments, in the spellings of C and of GNU C. */
#define say(format, ...) printf(format, __VA_ARGS__)
#define tell(...) printf(__VA_ARGS__)
#define show_all(values...) printf(values)
#define note(format, ...) printf(format, ## __VA_ARGS__)
#define remark(format, rest...) printf(format, ## rest)
#define sum(a, b) ((a) + (b))
#define store(place, ...) place = sum(__VA_ARGS__)
#define send(channel, ...) channel ! __VA_ARGS__
#define one_more(first, ...) first
byte x, y;
chan c = [1] of { byte, byte };
active proctype P() {
  say("a%d\n", x); tell("b\n"); tell("c%d%d\n", x, x); show_all("d%d\n", x);
  note("e\n"); note("f%d\n", x); remark("g\n"); remark("h%d%d\n", x, x);
  store(x, 1, 2); assert(x == 3);
  send(c, x, sum(x, 1)); c ? x, y; assert(x == 3 && y == 4);
  x = one_more(7); assert(x == 7);
  x = one_more(8, 1, (2, 3)); assert(x == 8)
}
