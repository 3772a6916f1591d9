chan c=[2] of {byte}; byte x; active proctype P(){ d_step { c!1; c!2; c?x; x=x+1 }; d_step { c?x -> x++ } ; c!x} active proctype Q(){ d_step{ x==2 -> x=9 } }
