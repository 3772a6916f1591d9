byte a;
active proctype P() { a[0] = 1 }
