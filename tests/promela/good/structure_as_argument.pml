// A structure is handed over field by field; a channel in it is the same channel, and none is created for the parameter.
typedef Seal { byte x; short y }
typedef Lock { byte holder; Seal seal; byte spare = 3; chan take = [1] of { byte } }
proctype Guard(Lock lock; byte extra) {
  Lock own;
  byte sum;
  sum = lock.holder + lock.seal.y + lock.spare + extra;
  lock.holder = 3;
  lock.take!lock.holder;
  own.take!2
}
init {
  Lock one, many[2];
  byte who;
  one.holder = 4; one.seal.y = 500; many[1].holder = 9;
  who = run Guard(one, 2);
  run Guard(many[1], who);
  one.take?_
}
