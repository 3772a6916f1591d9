/* 8 dining philosophers, step for step those of philosophers-8.smv: the last one takes the right fork first. */

#define N 8
#define first (_pid == N - 1 -> 0 : _pid)
#define second (_pid == N - 1 -> N - 1 : _pid + 1)

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
