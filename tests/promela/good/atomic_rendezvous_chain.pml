chan r = [0] of { byte }; byte x;
active proctype A() { atomic { x = 1; r!1; x = 2; r!2; x = 3 } }
active proctype B() { byte v; atomic { r?v; x = 10; r?v; x = 11 } }
active proctype C() { x = 20 }
