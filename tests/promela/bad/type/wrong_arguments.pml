proctype P(byte x) { skip }
init { run P(1, 2) }
