byte x; active proctype P(){ atomic { x=1; goto B }; x=5; B: atomic { x=2; x=3 } } active proctype Q(){ x=7 }
