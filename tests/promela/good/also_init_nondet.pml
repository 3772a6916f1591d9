byte n, v; proctype W(byte k){ n=k } init { byte i; if :: v=1 :: v=2 fi; do :: i<v -> run W(i); i++ :: else -> break od }
