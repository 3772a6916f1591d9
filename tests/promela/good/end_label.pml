chan c = [1] of { byte };
active proctype Server() { byte v; end: do :: c?v od }
active proctype Client() { c!1; c!2 }
