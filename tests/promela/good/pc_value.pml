/* The numbers that SPIN gives to where processes are. */
byte x, y;
active proctype P() { x = pc_value(1); atomic { x = pc_value(0); x = pc_value(2) } }
active proctype Q() {
	if
	:: y == 0 -> y = 1; do :: y < 3 -> y++ :: else -> break od
	:: y = 2
	fi;
	skip; d_step { y = 0; y = 7 };
	y = pc_value(1)
}
