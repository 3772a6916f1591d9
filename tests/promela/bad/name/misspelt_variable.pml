byte count;
mtype = { request };
active proctype P() { byte total; totla = coutn; count = reqest }
active proctype Q() { count = TRUE }
