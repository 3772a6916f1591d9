chan c=[1] of {bit}; byte x; active proctype P(){ if :: nfull(c) -> c!1 fi; if :: full(c) -> x=1 :: empty(c) -> x=2 fi; (nempty(c)); c?_; (empty(c)) }
