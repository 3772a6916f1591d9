byte x=1; active proctype T(){ if :: x==1 -> skip :: atomic{else -> assert(false)} fi }
