byte x;
active proctype P() { goto inside; d_step { x = 1; inside: x = 2 } }
