byte x; active proctype P(){ do :: L: x<2 -> x++ :: x==2 -> goto M :: else -> break od; M: x=0; if :: x==0 -> x=5; goto L :: x==0 fi }
