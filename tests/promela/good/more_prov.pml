byte t; active [2] proctype P() provided (t==_pid) { byte x; x=1; t = 1-_pid; x=2 }
