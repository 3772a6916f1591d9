byte n;
proctype Child(byte depth) { n++; if :: depth < 2 -> run Child(depth + 1) :: else fi }
init { run Child(0); run Child(1) }
