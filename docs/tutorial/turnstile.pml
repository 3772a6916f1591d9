/* Two visitors, and a turnstile that looks before it locks. */
byte inside;

active [2] proctype visitor() {
  do
  :: inside == 0 ->
     inside++;
     printf("visitor %d is in\n", _pid);
     assert(inside == 1);
     inside--
  od
}
