byte n; proctype P(){ chan c[2]=[1] of {byte}; c[0]!1; c[1]!2; c[0]?n; c[1]?n } init { run P(); run P() }
