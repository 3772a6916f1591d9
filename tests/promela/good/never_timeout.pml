/* At a timeout SPIN tries a claim's moves twice; several skips of a claim are as many moves. */
byte x;
active proctype P() { x = 1; timeout; x = 2 }
active proctype Q() { atomic { x == 2; x = 3; if :: timeout :: x == 4 fi; x = 5 } }
never { do :: x == 1 -> skip; skip; x != 0 -> break :: atomic { x > 0; x < 3 } :: true od }
