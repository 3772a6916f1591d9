typedef T { chan c=[1] of {byte}; byte x }; T t[2]; active proctype P(){ t[0].c!1; t[1].c!2; t[1].c?t[0].x }
