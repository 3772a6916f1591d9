chan c = [2] of { byte, byte }; byte v, w;
active proctype P() { (!c?[1]); c!1,2; c?<v,w>; (c?[1]); assert(len(c) == 1 && w == 2); c?v,_ ; (empty(c)) }
