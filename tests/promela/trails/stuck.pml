/* An invalid end state behind a local statement, and a process that is created and dies. */
chan c = [1] of { byte };
proctype Child(byte n) { byte l; l = n; c ! l }
init {
  byte y;
  run Child(3);
  c ? y;
  y = y + 1; y = y * 2;
  c ? y
}
