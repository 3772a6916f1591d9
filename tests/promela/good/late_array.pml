byte y;
active proctype A() { y = 1; byte a[3] = 7; y = a[2]; byte b[2] = y + 1; y = b[1]; y = b[0]; short s[2] = -3; y = s[1] }
active proctype B() { y = 0 }
