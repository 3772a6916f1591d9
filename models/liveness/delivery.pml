/* Stop and wait over channels that lose messages: frames and answers have numbers 0 and 1. */

chan frames = [1] of { bit };
chan answers = [1] of { bit };
bit sent, expected;
bool is_new;

active proctype Sender()
{
	bit heard;

	do
	:: nfull(frames) && empty(answers) -> if :: frames!sent :: skip fi
	:: answers?heard -> if :: heard == sent -> sent = 1 - sent :: else fi
	od
}

active proctype Receiver()
{
	bit got;

	do
	:: frames?got ->
		if
		:: got == expected -> d_step { expected = 1 - expected; is_new = true }; is_new = false
		:: else
		fi;
		if :: answers!got :: skip fi
	od
}

ltl delivered { []<> is_new }
ltl if_not_all_is_lost { ([]<> (len(frames) > 0) && []<> (len(answers) > 0)) -> []<> is_new }
ltl in_step { [] (is_new -> <> !is_new) }
