chan c=[1] of {byte}; byte n; active proctype P(){ xs c; c!1; c!2 } active proctype Q(){ xr c; c?n; c?n }
