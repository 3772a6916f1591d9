/* The end of a line separates statements wherever SPIN reads a `;` there: `-1` and `(x)` are statements of their own. */
byte x, y, z[2];
chan c = [2] of { byte };
chan d = [1] of { chan };
active proctype P() {
  chan q
  x = y
  -1
  x = 3 /* a comment
  */ -1
  x = 4 // a comment
  -1
  x = 5 \
  -1
  x = 6 -
  1
  assert(x == 5)
  z[0] = 2
  -1
  x++
  -1
  c ! 3
  (x == 6)
  c ? y
  (y == 3)
  d ! c
  d ? q
  (q == c)
  x = (y
    - 1)
  assert(x == 2)
  timeout
  -1
  if
  :: x == 2
     -> x = 1
  :: else
     skip
  fi
  -1
  { x = 7 }
  unless { y == 9 }
}
