bool stop;
byte x;
active proctype P() {
again: d_step { x = 1; x = 2 } unless { stop -> skip }
}
