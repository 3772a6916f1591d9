/* Two visitors, and a turnstile that looks and locks at once. */
byte inside;

active [2] proctype visitor() {
  do
  :: atomic { inside == 0 ->
     inside++ };
     printf("visitor %d is in\n", _pid);
     assert(inside == 1);
     inside--
  od
}
