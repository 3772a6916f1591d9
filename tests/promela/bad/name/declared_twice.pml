byte x; bit x;
active proctype P() { skip }
