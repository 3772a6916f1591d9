chan c = [0] of { byte, byte };
byte x;
active proctype A() { c!1,2 }
active proctype B() { c?x }
