/* The alternating bit protocol over channels that lose messages. */

mtype = { message, ack };

chan forward = [1] of { mtype, byte, bit };
chan backward = [1] of { mtype, bit };
byte sent, got;

active proctype Sender()
{
	bit now, answer;

	do
	:: forward!message(sent, now) ->
		if
		:: backward?ack(answer) ->
			if
			:: answer == now -> d_step { now = 1 - now; sent = (sent + 1) % 4 }
			:: else
			fi
		:: timeout
		fi
	od
}

active proctype Receiver()
{
	bit expected, number;
	byte value;

	do
	:: forward?message(value, number) ->
		if
		:: number == expected ->
			assert(value == got);
			d_step { got = (got + 1) % 4; expected = 1 - expected }
		:: else
		fi;
		backward!ack(number)
	od
}

active proctype Thief()
{
	do
	:: forward?_, _, _
	:: backward?_, _
	od
}
