mtype={req,ack}; chan c=[0] of {mtype,byte}; active [2] proctype P(){ byte v; c!req,_pid; c?ack,eval(_pid) } active proctype Q(){ byte p; do :: c?req,p -> c!ack,p od }
