mtype = { one, two }; mtype = { three }; mtype:fruit = { apple, pear };
mtype m = two; mtype:fruit f = pear;
active proctype P() { assert(one == 2 && two == 1 && three == 3 && apple == 2 && f == 1); m = three }
