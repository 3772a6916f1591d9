chan c = [0] of { byte };
byte t;
active proctype A() { d_step { c!3; t = 1 } }
active proctype B() { byte v; c?v }
