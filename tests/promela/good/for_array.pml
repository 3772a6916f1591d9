byte i, a[3] = { 4, 5, 6 };
active proctype P() { for (i in a) { a[i] = a[i] + i } }
