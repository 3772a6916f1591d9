byte n; active proctype M(){ byte i; do :: i<3 -> run W(i); i++ :: else -> break od } proctype W(byte k){ n=k }
