byte a[4] = {1,2}; byte b[3] = 5; active proctype P(){ byte c[3] = {7,8}; byte d[2]=9; a[0]=b[2]; a[1]=c[1]+c[2]+d[1]; a[2]=a[3] }
