/* Embedded C outside processes. */
byte x;
c_state "int y" "Global"
active proctype P() { x = 1 }
