/* Peterson's algorithm for two processes, where a process says too late that it wants to enter. */

bool wants[2];
byte turn, inside;

active [2] proctype Process()
{
	do
	:: turn = 1 - _pid;
	   (!wants[1 - _pid] || turn == _pid);
	   wants[_pid] = true;
	   inside++;
	   assert(inside == 1);
	   inside--;
	   wants[_pid] = false
	od
}
