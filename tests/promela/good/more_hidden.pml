hidden byte h; byte x; active proctype P(){ h=1; h=2; x=1; h=3 }
