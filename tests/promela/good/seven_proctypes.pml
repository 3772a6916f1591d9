byte n;
proctype P0() { n > 20; n++ }
proctype P1() { n > 20; n++ }
proctype P2() { n > 20; n++ }
proctype P3() { n > 20; n++ }
proctype P4() { n > 20; n++ }
proctype P5() { n > 20; n++ }
proctype P6() { n > 20; n++ }
active proctype M() { do :: n < 14 -> atomic { if :: n % 7 == 0 -> run P0() :: n % 7 == 1 -> run P1() :: n % 7 == 2 -> run P2() :: n % 7 == 3 -> run P3() :: n % 7 == 4 -> run P4() :: n % 7 == 5 -> run P5() :: n % 7 == 6 -> run P6() fi; n++ } :: else -> break od }
