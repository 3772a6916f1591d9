mtype = { REQ, ACK };
chan requests = [2] of { mtype, byte };
chan answers = [1] of { mtype };

active proctype Client() {
  requests ! REQ, 1;
  answers ? ACK
}

active proctype Server() {
  byte number;
  requests ? REQ, number;
  requests ? REQ, number;
  answers ! ACK
}
