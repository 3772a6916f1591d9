proctype A() { byte x; x = 1; chan c = [1] of { byte }; c!x; c?x }
init { atomic { run A(); run A(); chan z = [2] of { byte }; byte k = 3; z!k } }
