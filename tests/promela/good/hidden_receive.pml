hidden byte h; chan c=[2] of {byte}; byte x; active proctype P() { do :: c!x; x = (x+1)%3 od } active proctype Q() { do :: c?h od }
