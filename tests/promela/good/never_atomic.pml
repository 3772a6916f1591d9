/* What SPIN makes of a formula: an atomic section with an assertion, beside a loop that accepts. */
byte x;
active proctype P() { atomic { x = 1; x = 2 }; x = 3 }
active proctype Q() { x == 2 -> atomic { x = 4; x == 3; x = 6 } }
never {
T0_init:
	do
	:: atomic { (x == 1) -> assert(!(x == 1)) }
	:: (x > 3) -> goto accept_S1
	:: (1) -> goto T0_init
	od;
accept_S1:
	do
	:: (x > 3) -> goto accept_S1
	od
}
