/* Election in a one-way ring after Chang and Roberts: the greatest number wins.
   Termination: a leader is elected, and it stays so. */

#define N 4

chan next[N] = [N] of { byte };
byte leaders, elected;

proctype Node(byte place, number)
{
	byte heard;

	next[(place + 1) % N]!number;
	end:
	do
	:: next[place]?heard ->
		if
		:: heard > number -> next[(place + 1) % N]!heard
		:: heard < number -> skip
		:: heard == number -> d_step { leaders++; elected = number }
		fi
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) { run Node(i, (i * 3) % N + 1) }
	}
}

ltl elected_at_last { <> (leaders > 0) }
ltl at_rest { <>[] (leaders == 1 && elected == N) }
