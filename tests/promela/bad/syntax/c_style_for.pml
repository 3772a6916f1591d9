byte i;
active proctype P() { for (i = 0; i < 3; i++) { skip } }
