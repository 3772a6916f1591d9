chan a=[0] of {bit}; chan b=[0] of {bit}; byte x; active proctype P(){ atomic { a!1; x++; b?_; x++ } } active proctype Q(){ atomic { a?_; x=x*2; b!0; x=x+3 } } active proctype R(){ x=5 }
