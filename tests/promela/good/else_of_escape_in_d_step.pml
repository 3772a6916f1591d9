byte x=1; byte y; active proctype T(){ { d_step { y=3; x=4 }; x=2 } unless { d_step { else -> y=7 } } }
