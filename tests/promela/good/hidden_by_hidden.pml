hidden byte h; hidden byte g; byte x; active proctype P() { do :: h++; g = h + g; x = 1 - x od }
