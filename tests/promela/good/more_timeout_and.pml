byte x; active proctype P(){ do :: x<2 -> x++ :: timeout && x==2 -> x=3 :: x==3 -> break od } active proctype Q(){ timeout; x=9 }
