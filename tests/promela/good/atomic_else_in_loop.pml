byte x; byte y;  active proctype T(){ do :: atomic { else -> x=3; break } :: x < 2 -> x++ od; x=4 }
