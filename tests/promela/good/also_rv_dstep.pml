chan c=[0] of {byte}; byte x; active proctype P(){ c!1; c!2 } active proctype Q(){ d_step { c?x; x++; x=x*2 }; c?x }
