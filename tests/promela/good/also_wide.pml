int a[3]; short s[2]; active proctype P(){ a[0] = 100000; a[1] = a[0]*a[0]; s[1] = a[1]; s[0] = s[1] >> 2; a[2] = s[0] & 255 }
