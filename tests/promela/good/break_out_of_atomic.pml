byte a, f; chan q = [1] of { byte };
active proctype P()
{ byte x;
  do :: q!x -> atomic { break; break }; break :: f -> skip :: else -> break od;
  a = 1
}
