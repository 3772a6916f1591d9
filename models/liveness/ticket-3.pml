/* A lock with tickets: who draws a ticket first is served first. */

#define N 3

byte free, serving;
bool waits, served;

active [N] proctype Customer()
{
	byte mine;

	do
	:: d_step { mine = free; free = (free + 1) % N };
	   if :: _pid == 0 -> waits = true :: else fi;
	   serving == mine;
	   if :: _pid == 0 -> d_step { waits = false; served = true } :: else fi;
	   served = false;
	   serving = (serving + 1) % N
	od
}

ltl in_turn { [] (waits -> <> !waits) }
ltl again { []<> served }
