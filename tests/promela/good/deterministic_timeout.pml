/* P0 may not choose, and has to when no other process can move. */
byte x;
active D_proctype P0() { if :: timeout -> x = 1 :: timeout -> x = 2 fi }
active proctype P1() { x = 3 }
