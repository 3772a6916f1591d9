byte z, n = 2;
active proctype P() { select (z : 0 .. n); z = 0 }
