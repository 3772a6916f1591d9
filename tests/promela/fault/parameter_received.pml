chan q = [2] of { chan };
chan r = [2] of { byte };
chan none;
proctype P(chan c) { r!1; q?c; c!2 }
init { q!none; run P(r) }
