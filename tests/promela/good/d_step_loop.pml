byte a[4], i, sum;
active proctype P() { d_step { i = 0; do :: i < 4 -> a[i] = i * i; i++ :: i >= 4 -> break od }; d_step { i = 0; do :: i < 4 -> sum = sum + a[i]; i++ :: else -> break od }; assert(sum == 14) }
active proctype Q() { (sum > 0); assert(sum == 14) }
