byte x=3,y=5; int z; active proctype P(){ z = (x > y -> x : y); z = (x < y -> -1 : y) ; z = -z % 3; z = (z << 3) ^ 5; z = ~z & 12 ; z = z - 2147483647 - 5 }
