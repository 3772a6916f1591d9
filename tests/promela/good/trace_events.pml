chan q = [2] of { byte }; chan r = [1] of { byte }; byte x;
trace { do :: q!1; q?1 od }
active proctype P() { q!1; q!2; x = 1; r!5 }
active proctype Q() { q?x; q?x; r?x }
