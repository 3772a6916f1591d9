byte x; active proctype P(){ S: x=1; T: x=2 } ltl p { [] (P@T -> x==1) }
