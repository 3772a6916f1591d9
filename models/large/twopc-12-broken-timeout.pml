/* Two-phase commit with 12 participants, step for step that of twopc-12-broken-timeout.smv: a participant that has said yes may give up and abort. */

#define N 12

mtype = { none, yes, no, committed, aborted };

bool asked[N];
mtype vote[N] = none;
mtype outcome[N] = none;
byte commits;
byte aborts;

active proctype Coordinator()
{
	byte k;
start:
	skip;
ask:
	atomic {
		asked[k] = true;
		if
		:: k < N - 1 -> k++; goto ask
		:: else -> k = 0
		fi
	};
collect:
	if
	:: atomic { vote[k] == yes && k < N - 1 -> k++; goto collect }
	:: atomic { vote[k] == yes && k == N - 1 -> k = 0; goto commit }
	:: vote[k] == no -> goto give_up
	:: vote[k] == none -> goto give_up
	fi;
give_up:
	k = 0;
abort:
	atomic {
		outcome[k] = aborted;
		if
		:: k < N - 1 -> k++; goto abort
		:: else -> k = 0; goto finished
		fi
	};
commit:
	atomic {
		outcome[k] = committed;
		if
		:: k < N - 1 -> k++; goto commit
		:: else -> k = 0
		fi
	};
finished:
	false
}

#define me (_pid - 1)
#define stops aborts++; assert(commits == 0); goto finished

active [N] proctype Participant()
{
idle:
	if
	:: atomic { outcome[me] == aborted -> stops }
	:: asked[me] && outcome[me] != aborted
	fi;
decide:
	if
	:: goto say_yes
	:: goto say_no
	fi;
say_no:
	atomic { vote[me] = no; stops };
say_yes:
	vote[me] = yes;
ready:
	if
	:: atomic { outcome[me] == committed -> commits++; assert(aborts == 0); goto finished }
	:: atomic { outcome[me] != committed -> stops }
	fi;
finished:
	false
}
