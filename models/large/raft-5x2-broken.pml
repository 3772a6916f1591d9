/* Raft's election with 5 nodes and terms up to 2, step for step that of raft-5x2-broken.smv: a node that goes down forgets its vote. */

#define N 5
#define TERMS 2
#define MAJORITY 3
#define me _pid
#define later (asks[k] && k != me && term[k] > term[me])
#define now (asks[k] && k != me && term[k] == term[me])
#define granted (k != me && grant[k] == me + 1 && term[k] == term[me])
#define next_node k = (k + 1) % N
#define count votes = (k == 0 -> (granted -> 2 : 1) : (granted && votes < N -> votes + 1 : votes))

byte term[N];
bool asks[N];
byte grant[N];
byte leaders[TERMS + 1];

active [N] proctype Node()
{
	byte voted;
	byte k;
	byte votes;
follower:
	atomic {
		if
		:: later -> voted = k + 1; term[me] = term[k]; grant[me] = k + 1; next_node; goto follower
		:: now && voted == 0 -> voted = k + 1; grant[me] = k + 1
		:: !later && !(now && voted == 0)
		fi;
		next_node;
		if
		:: goto follower
		:: goto stand
		:: goto down
		fi
	};
stand:
	atomic {
		k = 0;
		votes = 1;
		if
		:: term[me] < TERMS -> term[me]++; voted = me + 1; grant[me] = me + 1
		:: else -> goto follower
		fi
	};
ask:
	atomic { asks[me] = true; k = 0 };
collect:
	atomic {
		if
		:: later -> count; next_node; goto down
		:: !later && votes >= MAJORITY -> count; next_node; leaders[term[me]]++; assert(leaders[term[me]] == 1); goto leader
		:: !later && votes < MAJORITY && k < N - 1 -> count; next_node; goto collect
		:: !later && votes < MAJORITY && k == N - 1 -> count; next_node; if :: goto collect :: goto down fi
		fi
	};
leader:
	atomic {
		if
		:: later -> next_node; leaders[term[me]]--; goto down
		:: else -> next_node; goto leader
		fi
	};
down:
	atomic { voted = 0; votes = 0; k = 0; asks[me] = false; goto follower }
}
