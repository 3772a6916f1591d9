hidden byte h; byte x; active proctype P() { do :: h++; x = 1 - x od }
