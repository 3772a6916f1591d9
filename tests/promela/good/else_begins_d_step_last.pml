byte x=1; active proctype T(){ if :: x==1 -> skip :: d_step{else -> assert(false)} fi }
