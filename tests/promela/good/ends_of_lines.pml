int a[2], n
active proctype P()
{ byte i
  a[0] = 1; a[1] = 3
  do
  :: i < 2 -> n = n + a[i]
     i++
  :: else -> break
  od
  assert(n == 4)
}
