chan c=[0] of {byte}; active proctype P(){ endA: atomic { c?1 -> skip; skip } } active proctype Q(){ end_b: if :: c?2 :: c?3 fi }
