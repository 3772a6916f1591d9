/* A formula that fails by a cycle: the claim moves in turns with the processes. */
byte x;
active proctype A() { byte l; do :: l = 1; l = 2; x = 1 - x od }
active proctype B() { do :: x == 1 -> x = 1 od }
ltl rests { <>[] (x == 0) }
