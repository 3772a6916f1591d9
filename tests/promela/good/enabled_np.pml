/* What only claims may ask. */
byte x;
chan c = [1] of { byte };
active proctype P() { c!1; progress: x = 1; c!2 }
active proctype Q() { c?_; x == 1 }
never { do :: !enabled(0) && np_ -> break :: else od }
