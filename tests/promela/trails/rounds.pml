/* Statements on global variables are merged inside atomic sections. */
byte x, y;
active proctype A() { do :: atomic { y = 1; y = 0 } od }
active proctype B() { x = 1 }
ltl ev { <> (x == 1) }
