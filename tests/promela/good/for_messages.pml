typedef M { byte a; bit b };
chan c = [3] of { M };
active proctype P() { M m; m.a = 1; c!m; m.a = 2; c!m; for (m in c) { skip } }
