/* A binary semaphore for three processes: one that asks may never find it free. */

#define N 3

bool taken, waits;

active [N] proctype User()
{
	do
	:: if :: _pid == 0 -> waits = true :: else fi;
	   atomic { !taken -> taken = true };
	   if :: _pid == 0 -> waits = false :: else fi;
	   taken = false
	od
}

ltl served { [] (waits -> <> !waits) }
ltl passed_on { [] (taken -> <> !taken) }
