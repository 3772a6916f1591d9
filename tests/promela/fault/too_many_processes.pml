proctype P() { (false) }
init { do :: run P() od }
