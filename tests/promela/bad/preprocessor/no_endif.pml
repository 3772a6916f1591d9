#ifdef X
byte x;
active proctype P() { skip }
