byte a[3], b[2];
active proctype P() { if :: a[1] = a[2] :: b[1] = 1; a[3] = b[1] fi }
