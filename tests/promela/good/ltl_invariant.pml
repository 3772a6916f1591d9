byte x;
ltl small { [] (x < 3) }
ltl live { <> (x == 2) }
active proctype P() { x = 1; x = 2 }
