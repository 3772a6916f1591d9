chan c=[2] of {byte,byte}; active [2] proctype P(){ byte v; c!_pid,1; c??eval(_pid),v; if :: v==1 -> skip fi }
