byte x;
active proctype A() priority 3 { x = 1; set_priority(0, 0); x = 2 }
active proctype B() { x = 3; x = 4 }
