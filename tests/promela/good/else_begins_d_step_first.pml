byte x=1; active proctype T(){ if :: d_step{else -> assert(false)} :: x==1 -> skip  fi }
