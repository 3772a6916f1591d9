/* SPIN leaves out what is too much of a list. */
mtype = { red, green, blue };
mtype a[3] = { red, green, blue, red, green };
byte b[2] = { 1, 2, 3 };
active proctype P() { printf("%e %e %e %d %d\n", a[0], a[1], a[2], b[0], b[1]); assert(a[0] == red && a[1] == green && a[2] == blue && b[0] == 1 && b[1] == 2) }
