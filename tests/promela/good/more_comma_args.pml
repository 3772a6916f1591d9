chan c=[1] of {byte,byte,byte}; byte x; active proctype P(){ c!1(2,3); c?1(x,eval(x+3)); skip } active proctype Q(){ c??1,x,_ }
