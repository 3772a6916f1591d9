byte x;
active proctype P() { progress: np_ -> x = 1 }
