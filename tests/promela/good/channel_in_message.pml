chan a = [1] of { byte }; chan link = [1] of { chan };
active proctype P() { link!a; a?1 }
active proctype Q() { chan c; link?c; c!1 }
