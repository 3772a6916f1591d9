/* Embedded C outside processes. */
byte x;
c_track "&y" "sizeof(int)"
active proctype P() { x = 1 }
