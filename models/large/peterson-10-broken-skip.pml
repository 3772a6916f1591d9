/* Peterson's filter lock for 10 processes, step for step that of peterson-10-broken-skip.smv: the wait of the last level is skipped. */

#define N 10
#define below(other) (_pid == other || level[other] < level[_pid])
#define may_pass (level[_pid] == N - 1 || last[level[_pid]] != _pid + 1 || below(0) && below(1) && below(2) && below(3) && below(4) && below(5) && below(6) && below(7) && below(8) && below(9))

byte level[N];
byte last[N] = 1;
byte inside;

active [N] proctype Contender()
{
idle:
	skip;
raise_level:
	level[_pid]++;
set_last:
	last[level[_pid]] = _pid + 1;
await:
	if
	:: may_pass && level[_pid] < N - 1 -> goto raise_level
	:: atomic { may_pass && level[_pid] == N - 1 -> inside++; assert(inside == 1) }
	fi;
critical:
	atomic { level[_pid] = 0; inside-- };
	goto idle
}
