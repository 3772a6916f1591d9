typedef T { byte f }; T t;
active proctype P() { (t == 1) }
