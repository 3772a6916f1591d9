active proctype P() { break }
