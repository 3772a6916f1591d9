/* A producer and two consumers that meet: every item is taken once. */

#define ITEMS 4

chan hand = [0] of { byte };
byte taken[2], total;

active proctype Producer()
{
	byte item;

	for (item : 1 .. ITEMS) { hand!item }
	end: skip
}

active [2] proctype Consumer()
{
	byte item;

	end:
	do
	:: atomic { hand?item -> taken[_pid - 1]++; total = total + item }
	od
}

ltl sum { [] (total <= 10) }
ltl all { [] (total < 10 || taken[0] + taken[1] == ITEMS) }
