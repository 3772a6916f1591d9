/* 20 dining philosophers, step for step those of philosophers-20-broken.smv: all take the left fork first, and can wait for each other for ever. */

#define N 20
#define left _pid
#define right ((_pid + 1) % N)

bool taken[N];

active [N] proctype Philosopher()
{
thinking:
	skip;
hungry:
	atomic { !taken[left] -> taken[left] = true }
has_left:
	atomic { !taken[right] -> taken[right] = true }
eating:
	taken[right] = false;
done:
	taken[left] = false;
	goto thinking
}
