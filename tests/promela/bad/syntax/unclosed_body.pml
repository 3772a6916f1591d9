active proctype P() { if :: true -> skip fi
