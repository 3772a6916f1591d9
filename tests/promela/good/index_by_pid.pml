// More instances of P are thought possible than there are: those would write outside the array.
byte done[2];
proctype P() { done[_pid - 1] = 1; (done[0] + done[1] == 2) }
init {
  byte round;
  for (round : 1 .. 2) { atomic { run P(); run P() }; (_nr_pr == 1) }
}
