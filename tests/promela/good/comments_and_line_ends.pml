/* a
 comment */ byte x; // another
active proctype P() { x = 1 /* inside */ ; x = \
 2 }
