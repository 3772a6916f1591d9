active proctype P() { enabled(1); skip }
