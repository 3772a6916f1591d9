chan q = [2] of { byte }; byte x;
notrace { q!1; q?1; q!2 }
active proctype P() { q!1; if :: q!2 :: q!3 fi }
active proctype Q() { q?x; q?x }
