/* A never claim that can come to its end; it watches, and does not change what is reachable. */
byte x;
active proctype P() { x = 1; x = 2; x = 3 }
active proctype Q() { x = 5 }
never {
	do
	:: x == 2 -> break
	:: else
	od;
	x == 3
}
