chan c=[3] of {short,int,bit}; int x; active proctype P(){ c!70000,-1,2; c?x,_,_; c!!5,1,1; c!!4,9,0; c!!5,0,1; c??5,x,_; }
