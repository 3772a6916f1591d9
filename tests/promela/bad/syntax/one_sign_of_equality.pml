byte x;
active proctype P() { assert(x = 1) }
active proctype Q() { x += 1 }
ltl p { <> x = 1 }
