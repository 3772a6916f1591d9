byte x; active proctype P(){ x=1; x=2 } never { do :: x==2 -> break :: else od }
