byte x; active proctype P(){ printf("%d %e\n", x, x); if :: printf("a\n") -> x=1 :: printf("b\n") fi; do :: printf("c\n"); skip; skip; x=2; break od }
