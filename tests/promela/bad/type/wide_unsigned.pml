unsigned u : 40;
active proctype P() { skip }
