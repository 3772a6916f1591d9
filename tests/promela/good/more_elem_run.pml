byte a[2]; proctype P(){skip} init { a[1] = run P(); a[0] = run P() }
