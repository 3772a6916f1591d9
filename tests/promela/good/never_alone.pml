/* Where the model has come to its end, the claim goes on alone, and at its own end goes away with the last process. */
byte x;
active proctype P() { do :: x < 2 -> x++ :: x = 2; break od }
never { T: do :: x < 2 -> skip -> skip; goto U :: true od; U: do :: atomic { x == 2 -> x < 3; break } :: x >= 1 od; x == 2; skip }
