byte x;
active proctype P() { if :: x == 0 -> skip; skip; skip; x = 1 :: else fi; skip; skip }
