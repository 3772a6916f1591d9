/* Sorted sends and random receives in a channel with room for many messages. */
chan c = [200] of { byte }; byte n, m;
active proctype P() { do :: n < 4 -> c!!n%3; n++ :: else -> break od }
active proctype Q() { do :: c??1 -> m = 1 :: c??m od }
