byte x, y;
active proctype P() {
  x = 1
    + y
}
active proctype Q() {
  y == 1
  && x == 1
}
