chan c=[0] of {bit}; byte x; active proctype P(){ { x=1; x=2; x=3 } unless { c?_ -> x=9 } } active proctype Q(){ c!1 }
