bool f[2]; bit g[3]=1; active [2] proctype P(){ f[_pid]=true; g[_pid] = f[1-_pid] && !g[2] }
