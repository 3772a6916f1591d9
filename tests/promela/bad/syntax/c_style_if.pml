byte x;
active proctype P() { if (x == 1) { x = 2 } }
