byte x=1; active proctype T(){ if :: {else -> x=3} :: x==1 -> x=2 fi }
