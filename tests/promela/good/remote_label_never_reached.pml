byte x;
active proctype P() { L: { x = 1 }; d_step { x = 2; O: x = 3 }; atomic { x = 4; R: x = 5 }; goto T; S: x = 7; T: x = 8 }
active proctype W() { do :: P[0]@L -> x = 11; break  :: P[0]@O -> x = 14; break :: P[0]@R -> x = 16; break :: P[0]@S -> x = 17; break :: P[0]@T -> x = 18; break :: timeout -> break od }
