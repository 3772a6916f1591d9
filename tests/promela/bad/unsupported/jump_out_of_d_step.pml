byte x;
active proctype P() { d_step { x = 1; goto out; x = 2 }; out: x = 3 }
