byte x;
active proctype A() priority 2 { x = 1; d_step { x == 2; x = 3; x = 4 } }
active proctype B() priority 1 { atomic { x = 3; x = 2; x = 7 }; x = 2; x = 6 }
