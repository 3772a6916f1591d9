byte a, b, f;
active proctype P()
{ byte x;
  { { a = 1 } unless { x != b }; atomic { f = !f; b = x } } unless { a < 1 && !f };
  a = 2
}
active proctype Q() { b = 1; b = 0 }
