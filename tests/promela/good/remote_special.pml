/* Remote references to what every process has; the process is gone in the end. */
byte x;
active proctype Q() priority 3 { byte w = 3; x = w }
active proctype P() { x = Q[0]:_priority + Q[0]:_pid; x = P[1]:_pid; (Q[0]:_pid == 0); x = Q[5 + x]:_pid }
