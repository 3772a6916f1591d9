chan q = [1] of { byte };
trace { q!1 }
notrace { q!2 }
active proctype P() { q!1 }
