mtype={a,b,c}; chan l=[0] of {mtype}; byte n; active proctype S(){ do :: l!a :: l!b :: l!c; break od } active proctype R(){ do :: l?a -> n=1 :: l?b -> n=2 :: l?c -> break od }
