chan c[2] = [1] of { byte }; byte got;
proctype P(chan in, out; byte v) { out!v; in?got }
init { byte i; atomic { do :: i < 2 -> run P(c[i], c[1 - i], i + 1); i++ :: else -> break od } }
