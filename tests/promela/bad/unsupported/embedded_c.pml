c_decl { int x; }
active proctype P() { c_code { x = 1; } }
