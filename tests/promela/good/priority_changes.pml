byte x;
active proctype A() priority 2 { x = 1; x = 4 }
active proctype B() priority 2 { x = 3; x = 2 }
init priority 4 { x = 8; _priority = 1; x = 9 }
