# A SAT solver for tiny formulas, by unit propagation and case splits: awk -f tiny.awk FORMULA.cnf

$1 == "p" { variables = $3; next }
$1 == "c" { next }
{
    first[++clauses] = literals + 1
    for (i = 1; i < NF; i++) literal[++literals] = $i + 0
    last[clauses] = literals
}

END {
    if (!solve()) {
        print "s UNSATISFIABLE"
        exit 20
    }
    print "s SATISFIABLE"
    for (v = 1; v <= variables; v++) print "v " (value[v] > 0 ? v : -v)
    print "v 0"
    exit 10
}

function solve(    v, mark) {
    if (!propagate()) return 0
    for (v = 1; v <= variables && value[v]; v++) ;
    if (v > variables) return 1
    mark = depth
    assign(v)
    if (solve()) return 1
    undo(mark)
    assign(-v)
    if (solve()) return 1
    undo(mark)
    return 0
}

function propagate(    c, i, open, unit, satisfied, changed) {
    do {
        changed = 0
        for (c = 1; c <= clauses; c++) {
            open = 0
            satisfied = 0
            for (i = first[c]; i <= last[c] && !satisfied; i++) {
                if (truth(literal[i]) > 0) satisfied = 1
                else if (truth(literal[i]) == 0) { open++; unit = literal[i] }
            }
            if (satisfied) continue
            if (open == 0) return 0
            if (open == 1) { assign(unit); changed = 1 }
        }
    } while (changed)
    return 1
}

function truth(l) { return l > 0 ? value[l] + 0 : -value[-l] }

function assign(l) {
    trail[++depth] = l
    if (l > 0) value[l] = 1; else value[-l] = -1
}

function undo(mark,    l) {
    while (depth > mark) {
        l = trail[depth--]
        value[l > 0 ? l : -l] = 0
    }
}
