chan c=[0] of {bit}; byte x; active proctype P(){ if :: c!1 -> x=1 :: else -> x=2 fi } active proctype Q(){ if :: x==0 -> skip :: x==2 -> skip fi; if :: c?_ -> x=5 :: else -> x=6 fi }
