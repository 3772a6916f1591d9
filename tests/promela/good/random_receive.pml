mtype = { a, b }; chan c = [3] of { mtype, byte }; byte v;
active proctype P() { c!a,1; c!b,2; c!a,3; c??b,v; assert(v == 2); c??a,eval(v + 1); c?a,v; assert(v == 1) }
