/* The index of a remote array is an expression of the process that asks. */
byte x;
active proctype Q() { byte w[3]; w[1] = 3; w[2] = 4; x == 3; x = w[1] }
active proctype P() { bit skew; byte y = 1; x = Q[0]:w[y]; y++; x = Q[_pid - 1]:w[y] }
