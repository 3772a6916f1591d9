pid p; active [2] proctype P(){ p = _pid; if :: p==1 -> p=2 :: p==0 -> skip fi }
