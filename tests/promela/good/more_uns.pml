unsigned u:3 = 5; unsigned w:5; active proctype P(){ unsigned l:2 = 7; u = u+4; w = u*9; l = l+1; w = l }
