typedef In { byte g[2] };
typedef Out { In i[2]; short s = 7 };
Out o; byte k = 1;
active proctype P() { o.i[k].g[1 - k] = 9; assert(o.i[1].g[0] == 9 && o.s == 7); o.s = o.s - 8; assert(o.s == -1) }
