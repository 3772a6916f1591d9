/* A process that is never let: nothing is owed to it, and B alone is fair. */
bool x; bool y = 1;
active proctype A() provided (!y) { x = 1 }
active proctype B() { do :: x = !x od }
ltl rest { <>[] x }
