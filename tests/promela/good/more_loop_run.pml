proctype W(byte i){ byte z; z=i } init { byte i; for (i : 1 .. 3) { run W(i) } }
