# Says what it is told and writes the proof that it is told: sh says.sh VERDICT FORMULA.cnf PROOF-FILE [PROOF]
# Commas stand for blanks, as the arguments of a solver's command have none.

[ $# -gt 3 ] && echo "$4" | tr , ' ' > "$3"
echo "$1" | tr , ' '
