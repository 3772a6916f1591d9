byte x;
active proctype A() priority 3 provided (x != 1) { x = 1; x = 2 }
active proctype B() { x = 3; x = 4 }
