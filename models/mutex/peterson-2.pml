/* Peterson's algorithm for two processes. */

bool wants[2];
byte turn, inside;

active [2] proctype Process()
{
	do
	:: wants[_pid] = true;
	   turn = 1 - _pid;
	   (!wants[1 - _pid] || turn == _pid);
	   inside++;
	   assert(inside == 1);
	   inside--;
	   wants[_pid] = false
	od
}
