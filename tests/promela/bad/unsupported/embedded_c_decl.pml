/* Embedded C outside processes. */
byte x;
c_decl { int y; }
active proctype P() { x = 1 }
