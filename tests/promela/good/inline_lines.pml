/* An inline's parameter may begin a line, and stand behind the end of one. */
byte x, y;
chan c = [1] of { byte };
inline put(place, value) {
  skip
  place = value
  place++
}
inline through(channel) {
  channel ! 1
  channel ? x
  channel ! 2 -> channel ? y
}
inline both(condition, place) {
  condition
  place = 5
  condition
}
active proctype P() {
  put(x, 1); put(y,
    x)
  through(c)
  both(y == 2, x)
  put
  (y, 3)
}
