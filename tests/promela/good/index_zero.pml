/* A variable that is no array is an array of one element. */
typedef T { byte a; byte b[2] };
byte s;
T t;
chan c = [1] of { byte };
active proctype P() {
  byte l;
  s[0] = 1;
  l[0] = s[0] + s;
  assert(l == 2 && l[0] == 2);
  t[0].a = 3;
  t.a[0]++;
  t[0].b[1] = t.a;
  c[0] ! t[0].b[1];
  c ? s[0];
  assert(s == 4)
}
