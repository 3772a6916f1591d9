byte x;
proctype P() { x == 1 }
active proctype M() { byte i; do :: i < 70 -> run P(); i++ :: else -> break od }
