byte x, y;
active proctype P() { d_step { y = 3; { x == 2; x = 3 } unless { y == 3 }; y = 1 } }
