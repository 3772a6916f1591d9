byte x;
active proctype A() priority 300 { x = 1 }
