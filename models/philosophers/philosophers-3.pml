/* Three dining philosophers who all take the left fork first: they can starve together. */

#define N 3

chan fork[N] = [1] of { bit };

proctype Philosopher(byte seat)
{
	do
	:: fork[seat]?_;
	   fork[(seat + 1) % N]?_;
	   fork[(seat + 1) % N]!1;
	   fork[seat]!1
	od
}

init {
	byte i;

	atomic {
		for (i : 0 .. N - 1) {
			fork[i]!1;
			run Philosopher(i)
		}
	}
}
