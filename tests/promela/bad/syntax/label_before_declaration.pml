active proctype P() { skip; L: byte x; x = 1 }
