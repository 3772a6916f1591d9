chan q[2] = [2] of { byte };
chan r = [1] of { byte };
proctype Sender(chan out, back) { out!1; out!2; len(back) > 0; back?_ }
proctype Passer(chan in, out) { byte x; in?x; run Sender(out, in); nempty(in) }
init { atomic { run Sender(q[0], r); run Passer(q[0], q[1]) }; r!3 }
