chan c=[1] of {byte}; byte x; active proctype T(){ if :: c?x -> x=2 :: else -> x=1 fi } active proctype Q() { c!3 }
