chan q = [2] of { byte }; byte x;
notrace { if :: q!1; q!3 :: q!2 ; q!2 fi }
active proctype P() { if :: q!1; q!2 :: q!2; q!3 fi }
active proctype Q() { q?<x>; q?x; q?x }
