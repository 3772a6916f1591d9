byte x, len, y;
active proctype P() { len = 1; x = 2 }
active proctype Q() { byte run; run = 2; y = run }
proctype full(byte of) { skip }
