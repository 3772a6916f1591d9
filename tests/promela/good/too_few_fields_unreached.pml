// Wrong numbers of fields where no run gets: a full channel, an empty one, a message that does not match, no process that sends.
chan crowded = [1] of { byte, byte };
chan bare = [1] of { byte, byte };
chan meet = [0] of { byte, byte };
chan lonely = [0] of { byte };
byte x;
active proctype A() {
  crowded!1,2;
  if
  :: crowded!3
  :: bare?x
  :: crowded?7
  :: lonely?x,_
  :: x = 1
  fi;
  crowded?_,_
}
active proctype B() { meet!1,2 }
active proctype C() { if :: meet?5 :: meet?1,x fi }
