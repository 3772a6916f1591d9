/* Remote references in a claim and in a formula. */
byte x;
ltl safe { [] !(P[0]@crit && P[1]@crit) }
active [2] proctype P() { byte n = 1; x++; crit: x--; n = 2 }
never { do :: P[0]:n == 2 && P[1]@crit -> break :: else od }
