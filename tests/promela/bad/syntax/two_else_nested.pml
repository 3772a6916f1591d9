byte x;
active proctype P() { if :: if :: x == 1 -> x = 2 :: else -> x = 3 fi :: else -> x = 9 fi }
