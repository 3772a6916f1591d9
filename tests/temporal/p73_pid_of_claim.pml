/* In a formula, _pid is that of the claim: 0 */
byte served[3];
active proctype P() { do :: served[0] = 1; served[1] = 0 od }
ltl own { <> [] (served[_pid] == 1) }
ltl zero { [] (_pid == 0) }
ltl one { <> [] (_pid == 1) }
