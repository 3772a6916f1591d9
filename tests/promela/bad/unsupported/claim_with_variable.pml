byte x;
active proctype P() { x = 1 }
never { byte y; do :: x == 1 -> break :: else od }
