hidden byte h; byte x; active proctype P(){ h=1; x=h; h=0; x=h } active proctype Q(){ x=3 }
