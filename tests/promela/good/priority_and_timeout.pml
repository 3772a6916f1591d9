byte x;
active proctype A() priority 3 { x == 1; if :: x == 4 -> x = 5 :: else -> x = 6 fi; timeout; x = 9 }
active proctype B() { x = 1; x = 2; do :: x < 9 -> x++ :: else -> break od }
active proctype C() priority 2 { x == 7 -> x = 8; x = get_priority(0) + get_priority(9) + get_priority(_pid) }
