chan c[2]=[0] of {byte}; byte n; active proctype P(){ byte i; do :: i<4 -> c[i%2]!i; i++ :: else -> break od } active proctype Q(){ byte v; do :: c[0]?v :: c[1]?v -> n=v :: timeout -> break od }
