/* Local statements that SPIN merges, a rendezvous, an atomic section, a d_step, and an assertion that fails. */
byte x;
chan r = [0] of { byte };
active proctype A() {
  byte l;
  l = 1; l = l + 2; printf("hi\n");
  r ! l;
  atomic { x = 1; l = 4; l = 5 }
  d_step { x++; x++ }
  l = 0
}
active proctype B() {
  byte m;
  r ? m;
  m = m + 1; m = m * 2;
  x == 3;
  do :: m > 3 -> m-- :: else -> break od;
  assert(x != 3)
}
