/* The election of Dolev, Klawe and Rodeh among 8 stations in a ring, step for step that of dkr-8.smv; that one is elected is the violation. */

#define N 8
#define number (_pid == 0 -> N : _pid)
#define inlet link[(_pid + N - 1) % N]
#define outlet link[_pid]

chan link[N] = [2] of { byte };

active [N] proctype Station()
{
	byte mine = number;
	byte near;
	byte far;
send_mine:
	outlet!mine;
get_near:
	inlet?near;
test_near:
	assert(near != mine);
send_near:
	outlet!near;
get_far:
	inlet?far;
test_far:
	atomic {
		if
		:: near > mine && near > far -> mine = near; near = 0; far = 0; goto send_mine
		:: else -> mine = 0; near = 0; far = 0
		fi
	};
relay_get:
	inlet?near;
relay_put:
	atomic { outlet!near; near = 0; goto relay_get }
}
