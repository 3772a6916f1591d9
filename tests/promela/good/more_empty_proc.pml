active proctype P(){ byte x; } init { skip }
