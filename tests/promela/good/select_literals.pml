byte z;
active proctype P() { select (z : 1 .. 3); z = 0 }
