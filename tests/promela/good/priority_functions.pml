byte x;
active proctype P() priority 2 { x = 1; x = get_priority(1); set_priority(0, 5); x = _priority }
active proctype Q() { x = 2; _priority = 3; x = 3 }
