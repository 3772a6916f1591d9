init { run P() }
