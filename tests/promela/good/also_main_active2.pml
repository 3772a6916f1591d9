byte n; bool go; active [2] proctype M(){ byte i; atomic { for (i:1..2) { run W(i) } } } proctype W(byte k){ n=k }
