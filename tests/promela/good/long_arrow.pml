/* SPIN reads a long arrow as the short one, also right behind a variable. */
byte x;
active proctype P() {
  x == 0 --> x = 1;
  if
  :: x == 1 --> x = 2
  :: else --> skip
  fi
  x--> x = x + (x == 2 -> 3 : 4)
}
