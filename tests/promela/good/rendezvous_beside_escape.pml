/* Nothing interrupts a rendezvous but a receive of the same message. */
chan d = [1] of { byte };
chan c = [0] of { byte };
byte s;
active proctype A() {
  byte v;
  { do :: c?v -> s = v od } unless { d?v; s = 10 };
  { c?v; s = 20 + v } unless { c?7 -> s = 30 }
}
active proctype B() { c!1; c!4; d!1; c!5; c!7; c!6 }
active proctype C() { c!7 }
