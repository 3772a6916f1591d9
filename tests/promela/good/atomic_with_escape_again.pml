chan tokens = [2] of { byte };
bool stop;
active proctype Worker() {
  byte got;
again:
  atomic { tokens?got; got = 7; goto again } unless { stop -> skip }
}
init { tokens!1; tokens!2; stop = true }
