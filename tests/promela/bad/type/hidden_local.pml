byte x;
active proctype P() { hidden byte h; h = x }
