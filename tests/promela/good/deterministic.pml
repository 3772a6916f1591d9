/* P may not choose, and has to where x is 1; R never has to. */
byte x; chan c = [0] of { byte };
active D_proctype P() { do :: x == 0 -> x = 1 :: x > 0 -> x = 2; break :: x == 1 -> c!1; break od }
active D_proctype R() { if :: c?_ :: x == 2 -> skip fi; do :: x < 4 -> x++ :: x == 4 -> break od }
