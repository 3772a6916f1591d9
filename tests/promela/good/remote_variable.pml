active proctype P() { byte v; v = 1; v = 2 }
active proctype Q() { (P:v == 1); skip }
