/* A process of a higher priority comes to its end before init's atomic section goes on, and its pid is free again. */
byte x;
proctype P(byte n) { x = n }
init { atomic { run P(1) priority 2; run P(2) priority 2; run P(_nr_pr) } }
