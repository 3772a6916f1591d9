/* Leader election among 12 stations in a ring, step for step that of leader-12-broken.smv: stations 1 and 2 have the same number, and both become the leader. */

#define N 12
#define ANNOUNCEMENT 13
#define number (_pid == 0 -> N : (_pid == 1 -> N : _pid))
#define inlet link[(_pid + N - 1) % N]
#define outlet link[_pid]

chan link[N] = [2] of { byte };
byte winners;

active [N] proctype Station()
{
	byte msg;
	bool took_part;
start:
	if
	:: inlet?msg -> goto compare
	:: atomic { empty(inlet) && nfull(outlet) -> outlet!number; took_part = true }
	fi;
receive:
	inlet?msg;
compare:
	if
	:: msg == ANNOUNCEMENT -> goto relay
	:: atomic { msg == number -> winners++; assert(winners == 1); goto elected }
	:: msg != ANNOUNCEMENT && msg > number -> goto forward
	:: msg < number && !took_part -> goto replace
	:: msg < number && took_part -> goto discard
	fi;
forward:
	atomic { outlet!msg; msg = 0; took_part = true; goto receive }
replace:
	atomic { outlet!number; msg = 0; took_part = true; goto receive }
discard:
	atomic { msg = 0; goto receive }
elected:
	atomic { outlet!ANNOUNCEMENT; took_part = true; msg = 0 };
leader:
	atomic { inlet?msg; msg = 0; goto leader }
relay:
	atomic { outlet!ANNOUNCEMENT; took_part = true; msg = 0 };
follower:
	false
}
