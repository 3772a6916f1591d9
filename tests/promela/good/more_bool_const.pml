bool b=true; active proctype P(){ b = !b; (b==false); b = 2; b = (3>2) }
