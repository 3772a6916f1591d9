chan q = [2] of { byte };
proctype P(chan c) { c!1; c = 0; c!2 }
init { run P(q) }
