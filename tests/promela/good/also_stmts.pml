byte x;
active proctype P()
{
	if
	:: x == 0 ->
		x = 1
		x = 2;
	:: else ->
		skip
	fi
	x = 3
}
