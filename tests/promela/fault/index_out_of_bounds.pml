byte a[3], i;
active proctype P() { do :: a[i] = 1; i++ od }
