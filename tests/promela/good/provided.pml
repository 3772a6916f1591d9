byte turn;
active proctype P() provided (turn == 0) { turn = 1; turn = 3 }
active proctype Q() { (turn == 1); turn = 0 }
