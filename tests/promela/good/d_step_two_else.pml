byte x=1; active proctype T(){ if :: d_step{ x==0 -> x=2} :: d_step{ if :: x==0 -> x=4 :: else -> x=3 fi } :: d_step {else -> x=7} fi }
