chan c;
active proctype P() { c!1 }
