chan c = [1] of { byte };
trace { do :: c!1 od }
active proctype P() { c!1 }
