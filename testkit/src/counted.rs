//! Programs whose processes ask how many there are, with a question that SPIN answers by a claim. SPIN counts the claim, so that `(_nr_pr == 1)`
//! waits for ever while one runs.

/// A program, and what SPIN's verifier says of it.
pub struct Counted {
    /// The program.
    pub text: &'static str,
    /// The property that is asked about: an `ltl` block, a never claim, or `non_progress_cycles`.
    pub property: &'static str,
    /// Whether it is violated, and whether it is by a run that is fair to every process.
    pub violated: [bool; 2],
}

/// That of which SPIN asks whether a run makes progress for ever.
pub const PROGRESS: &str = "non_progress_cycles";

const fn counted(property: &'static str, violated: [bool; 2], text: &'static str) -> Counted {
    Counted { text, property, violated }
}

/// The programs. What is recorded is what `pan -a`, `pan -a -f` and, compiled with `-DNP`, `pan -l` and `pan -l -f` find.
pub const COUNTED: [Counted; 21] = [
    counted(
        "f",
        [true, true],
        "byte x; proctype P() { x = 1 }
        init { run P(); (_nr_pr == 1) -> x = 2 }
        ltl f { <> (x == 2) }",
    ),
    counted(
        "f",
        [false, false],
        "byte x; proctype P() { x = 1 }
        init { run P(); run P(); (_nr_pr == 1) -> x = 2; assert(false) }
        ltl f { [] (x != 2) }",
    ),
    counted(
        "f",
        [false, false],
        "byte x; proctype P() { x = 1 }
        init { run P(); run P(); (_nr_pr == 2) -> x = 2 }
        ltl f { <> (x == 2) }",
    ),
    counted(
        "f",
        [true, true],
        "byte x; proctype P() { x = 1 }
        init { run P(); run P(); (_nr_pr == 2) -> x = 2 }
        ltl f { [] (x != 2) }",
    ),
    counted(
        "f",
        [true, true],
        "byte n, m, c; proctype P() { skip }
        init { n = _nr_pr; c = run P(); m = _nr_pr; do :: m = _nr_pr od }
        ltl f { [] !(n == 2 && c == 1 && m == 3) }",
    ),
    counted(
        "f",
        [true, false],
        "byte n, m, c; proctype P() { skip }
        init { n = _nr_pr; c = run P(); m = _nr_pr; do :: m = _nr_pr od }
        ltl f { <> [] (n == 2 && c == 1 && m == 2) }",
    ),
    counted(
        "f",
        [true, true],
        "byte n; proctype P() { (_nr_pr > 2); n = 1 }
        init { run P(); run P(); (_nr_pr <= 3) -> n = 2 }
        ltl f { <> (_nr_pr == 1 && n == 2) }",
    ),
    counted(
        "f",
        [true, false],
        "byte n; proctype P() { do :: _nr_pr == 3 -> n = 1 :: _nr_pr == 2 -> n = 3; break od }
        init { run P(); do :: n = 2 :: n == 3 -> break od }
        ltl f { [] (_nr_pr < 4) && []<> (n != 2) }",
    ),
    counted(
        "f",
        [true, true],
        "byte g; active proctype P() { byte n = _nr_pr; g = n; do :: g == 3 -> skip od }
        active proctype Q() { byte k = _nr_pr; (k == 3); g = 7 }
        ltl f { [] (g != 7) }",
    ),
    counted(
        "f",
        [false, false],
        "byte g; active proctype P() { byte n = _nr_pr; g = n }
        ltl f { <> (g == 2) }",
    ),
    counted(
        "f",
        [true, false],
        "bool go; byte t; proctype P() { go = true }
        init { run P(); do :: _nr_pr == 2 -> break :: else -> t = 1 - t od; t = 5 }
        ltl f { <> (t == 5) }",
    ),
    counted(
        "f",
        [true, false],
        "byte t; proctype P() { do :: t = 1 - t od }
        init { run P(); (_nr_pr >= 3) -> t = t | 2; do :: t = t ^ 2 od }
        ltl f { <> (t > 1) }",
    ),
    counted(
        "f",
        [true, true],
        "byte made, x; proctype W(byte d) { if :: d > 0 -> run W(d - 1) :: else -> made++ fi; (_nr_pr == 2); x = 1 }
        init { run W(2); (_nr_pr == 2) -> x = x + 2 }
        ltl f { <> (x == 3) }",
    ),
    counted(
        "never_0",
        [false, false],
        "byte x; proctype P() { x = 1 }
        init { run P(); (_nr_pr == 1) -> x = 2 }
        never { do :: x != 2 :: x == 2 -> break od }",
    ),
    counted(
        "never_0",
        [true, true],
        "byte x; proctype P() { x = 1 }
        init { run P(); (_nr_pr == 2) -> x = 2 }
        never { do :: x != 2 :: x == 2 && _nr_pr == 2 -> break od }",
    ),
    counted(
        "never_0",
        [true, true],
        "byte x; proctype P() { do :: x = 1 :: break od }
        init { run P(); do :: (_nr_pr == 1) -> x = 2 :: (_nr_pr == 2) -> x = 3 :: (_nr_pr == 3) -> skip od }
        never { do :: true :: x == 3 -> goto accept od; accept: do :: x == 3 od }",
    ),
    counted(
        "never_0",
        [false, false],
        "byte x; proctype P() { do :: x = 1 :: break od }
        init { run P(); do :: (_nr_pr == 1) -> x = 2 :: (_nr_pr == 2) -> x = 3 :: (_nr_pr == 3) -> skip od }
        never { do :: true :: x == 2 -> goto accept od; accept: do :: x == 2 od }",
    ),
    counted(
        PROGRESS,
        [false, false],
        "byte x; proctype P() { skip }
        init { run P(); (_nr_pr == 1); do :: x = 1 - x od }",
    ),
    counted(
        PROGRESS,
        [true, true],
        "byte x; proctype P() { skip }
        init { run P(); (_nr_pr == 2); do :: x = 1 - x od }",
    ),
    counted(
        PROGRESS,
        [true, true],
        "byte x; proctype P() { skip }
        init { run P(); do :: _nr_pr == 3 -> progress: x = 1 - x :: _nr_pr == 2 -> x = 1 - x od }",
    ),
    counted(
        PROGRESS,
        [false, false],
        "byte x; proctype P() { do :: _nr_pr == 2 -> x = 0 :: _nr_pr == 3 -> progress: x = 1 :: x == 7 -> break od }
        init { run P(); do :: _nr_pr == 3 -> progress: x = 1 - x od }",
    ),
];
