byte x;
inline bump(v, by) { if :: v < 5 -> goto up :: else -> skip fi; up: v = v + by }
active proctype P() { bump(x, 3); bump(x, 3) }
