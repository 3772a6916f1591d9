ltl bounded { [] (n < 4 && !P@never_there) }
byte n;
active proctype P() { do :: n < 3 -> n++ :: n == 3 -> n = 0; never_there: skip od }
