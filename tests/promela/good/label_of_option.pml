/* No process rests at a label in front of an option. */
byte n;
active proctype A() { do :: here: n = (n + 1) % 4 :: n == 2 -> there: n = 0 od }
active proctype B() { if :: A@here -> n = 3 :: A@there -> n = 1 fi }
