typedef One { byte a }
typedef Two { byte a, b }
proctype P(Two two) { two.a = 1 }
init { One one; run P(one) }
