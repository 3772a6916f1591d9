/* Embedded C as an expression. */
byte x;
active proctype P() { x = c_expr { now.x + 1 } }
