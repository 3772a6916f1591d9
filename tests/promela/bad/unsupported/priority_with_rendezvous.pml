byte x; chan c = [0] of { byte };
active proctype P() priority 2 { c!1; x = 3 }
active proctype Q() { x = 1; c?_; x = 2 }
