typedef T { byte f; short g }; chan c=[2] of {T, byte}; T u; active proctype P(){ T t; t.f=1; t.g=-2; c!t,3; c!t,4 } active proctype Q(){ byte b; c?u,b; c?u,eval(4); assert(u.g==-2) }
