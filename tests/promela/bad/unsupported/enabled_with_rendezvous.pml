chan c = [0] of { byte };
active proctype P() { c!1 }
never { do :: enabled(0) -> break :: else od }
