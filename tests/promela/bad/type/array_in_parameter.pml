typedef Row { byte a[2] }
proctype P(Row row) { row.a[0] = 1 }
init { Row r; run P(r) }
