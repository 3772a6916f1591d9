/* 8 dining philosophers, step for step those of philosophers-8-broken.smv: all take the left fork first, and can wait for each other for ever. */

#define N 8
#define first _pid
#define second ((_pid + 1) % N)

bool taken[N];

active [N] proctype Philosopher()
{
thinking:
	skip;
hungry:
	atomic { !taken[first] -> taken[first] = true }
has_first:
	atomic { !taken[second] -> taken[second] = true }
eating:
	taken[second] = false;
done:
	taken[first] = false;
	goto thinking
}
