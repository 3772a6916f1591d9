/* Peterson's filter lock for five processes, step for step that of peterson-5.smv. */

#define N 5
#define below(other) (_pid == other || level[other] < level[_pid])
#define may_pass (below(0) && below(1) && below(2) && below(3) && below(4) || last[level[_pid]] != _pid + 1)

byte level[N];
byte last[N] = 1;

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
	:: may_pass && level[_pid] == N - 1
	fi;
critical:
	level[_pid] = 0;
	goto idle
}
