chan q = [1] of { byte }; byte x;
trace { q!1; q!2 }
active proctype P() { atomic { q!1; x = 2 }; d_step { q!2; x = 3 } }
active proctype Q() { q?x; q??2 }
