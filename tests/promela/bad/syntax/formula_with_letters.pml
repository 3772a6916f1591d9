byte x;
ltl p { G (x == 0) }
ltl q { [] (x == 0 -> F (x == 1)) }
active proctype P() { x = 1 }
