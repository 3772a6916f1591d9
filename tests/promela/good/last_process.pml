/* _last is the process that moved last, the receiver of a rendezvous, and part of the state. */
chan c = [0] of { byte };
byte x;
active proctype P() { c!1; x = _last }
active proctype Q() { byte v; c?v; d_step { v = 2; x = _last } }
active proctype R() { atomic { x = _last; skip } }
