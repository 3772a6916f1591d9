byte x;
active proctype P() { again: x = 1 - x; here: goto again }
active proctype Q() { (P[0]@here); x = 5 }
