byte x;
proctype A() priority 3 { x = 1; x = 2 }
proctype B(byte n) { x = n; x = 4 }
init { run A(); run B(7) priority 2; run B(8); x = 5; x = 6 }
