/* Election in a one-way ring after Chang and Roberts: the greatest number wins. */

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

ltl one { [] (leaders <= 1) }
ltl greatest { [] (leaders == 0 || elected == N) }
