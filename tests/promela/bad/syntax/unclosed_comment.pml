byte x; /* no end
active proctype P() { skip }
