byte n; active proctype A(){ n=1 } active proctype M(){ run C(); n=2 } active proctype Z(){ n=3 } proctype C(){ n=4 }
