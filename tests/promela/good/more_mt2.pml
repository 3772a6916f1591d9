mtype = {A,B}; mtype x1; mtype:c = {R,G}; chan q = [1] of {mtype, mtype:c}; mtype:c v = G; active proctype P(){ mtype x = A; q!x,R; printm(x); q!B,v } active proctype Q() { q?x1,v; q?A,_ }
