chan c = [1] of { byte };
byte x;
active proctype P() { c!1 }
active proctype Q() { xr c; if :: c?x -> x = 2 :: else -> x = 1 fi }
