chan q = [2] of { byte };
chan perhaps;
proctype P(chan c) { len(c) == 0 }
init { if :: perhaps = q :: skip fi; run P(perhaps) }
