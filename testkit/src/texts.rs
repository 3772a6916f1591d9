//! Random SMV models in which every construct of the language occurs sooner or later. They are right, and nothing in
//! them can fail: indices are covered, divisors are constants, values are brought into the domains they are for.

use crate::numbers::Random;

/// The text of the model that belongs to a seed. Its properties, the first of them an `INVARSPEC`, are at the end.
pub fn random_model(seed: u64) -> String {
    let mut writer = Writer { random: Random::new(seed) };
    [writer.cell(), writer.declarations(), writer.assignments(), writer.relations(), writer.properties()].concat()
}

struct Writer {
    random: Random,
}

/// What is in scope in main: booleans, integers, symbols, unsigned and signed words of two bits.
const BOOLEANS: &[&str] = &["b", "m[0][1]", "p.base_flag", "q.peer.is_idle", "r.base_flag", "TRUE", "FALSE", "d"];
const INTEGERS: &[&str] = &["g", "a[0]", "p.n", "q.peer.n", "f", "self.g", "0", "2", "-1", "e2"];
const SYMBOLS: &[&str] = &["c", "red", "green", "extra"];
const UNSIGNED: &[&str] = &["w", "0ud2_1", "uwconst(2, 2)", "0b2_10"];
const SIGNED: &[&str] = &["s", "0sd2_1", "swconst(-1, 2)"];

/// The domains of program counters, and three of their values.
const COUNTERS: &[(&str, [&str; 3])] =
    &[("0..2", ["0", "1", "2"]), ("{1, 2, 4}", ["1", "2", "4"]), ("{idle, busy, 3}", ["idle", "busy", "3"])];

impl Writer {
    fn pick(&mut self, among: &[&str]) -> String {
        (*self.random.pick(among)).to_owned()
    }

    fn coin(&mut self) -> bool {
        self.random.below(2) == 0
    }

    fn boolean(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(BOOLEANS);
        }
        let deeper = depth - 1;
        match self.random.below(16) {
            0 => format!("!({})", self.boolean(deeper)),
            1..=3 => {
                let op = self.pick(&["&", "|", "xor", "xnor", "<->", "->", "=", "!="]);
                format!("({} {op} {})", self.boolean(deeper), self.boolean(deeper))
            }
            4..=6 => {
                let op = self.pick(&["=", "!=", "<", ">", "<=", ">="]);
                format!("({} {op} {})", self.integer(deeper), self.integer(deeper))
            }
            7 => format!("({} in {{0, {}}})", self.integer(deeper), self.integer(0)),
            8 => format!("({} in 0..2)", self.integer(deeper)),
            9 => format!("({} in ({{red}} union {{green, extra}}))", self.pick(SYMBOLS)),
            10 => {
                let op = self.pick(&["=", "<", ">="]);
                format!("({} {op} {})", self.unsigned(deeper), self.unsigned(deeper))
            }
            11 => format!("({} <= {})", self.signed(deeper), self.signed(deeper)),
            12 => format!("({} ? {} : {})", self.boolean(deeper), self.boolean(deeper), self.boolean(deeper)),
            13 => format!("bool({})", self.integer(deeper)),
            14 => format!("bool({}[0:0])", self.unsigned(0)),
            _ => format!("case {} : {}; TRUE : {}; esac", self.boolean(deeper), self.boolean(deeper), self.boolean(0)),
        }
    }

    fn integer(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(INTEGERS);
        }
        let deeper = depth - 1;
        match self.random.below(12) {
            0..=2 => {
                let op = self.pick(&["+", "-", "*"]);
                format!("({} {op} {})", self.integer(deeper), self.integer(0))
            }
            3 => format!("({} / 2)", self.integer(deeper)),
            4 => format!("({} mod 3)", self.integer(deeper)),
            5 => format!("(-({}))", self.integer(deeper)),
            6 => format!("toint({})", self.unsigned(deeper)),
            7 => format!("count({}, {})", self.boolean(deeper), self.boolean(0)),
            8 => {
                let function = self.pick(&["min", "max"]);
                format!("{function}({}, {})", self.integer(deeper), self.integer(0))
            }
            9 => format!("abs({})", self.integer(deeper)),
            10 => format!("a[{} ? 0 : 1]", self.boolean(deeper)),
            _ => format!("pair[{} ? 1 : 0]", self.boolean(deeper)),
        }
    }

    fn unsigned(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.pick(UNSIGNED);
        }
        let deeper = depth - 1;
        match self.random.below(7) {
            0 => {
                let op = self.pick(&["+", "-", "*", "&", "|", "xor"]);
                format!("({} {op} {})", self.unsigned(deeper), self.unsigned(0))
            }
            1 => {
                let op = self.pick(&["<<", ">>"]);
                format!("({} {op} 1)", self.unsigned(deeper))
            }
            2 => format!("(word1({}) :: {}[1:1])", self.boolean(deeper), self.unsigned(0)),
            3 => format!("unsigned({})", self.signed(deeper)),
            4 => format!("extend({}[1:1], sizeof(w) - 1)", self.unsigned(0)),
            5 => format!("resize({}[0:0], 2)", self.unsigned(0)),
            _ => format!("!({})", self.unsigned(deeper)),
        }
    }

    fn signed(&mut self, depth: usize) -> String {
        if depth == 0 || self.coin() {
            return self.pick(SIGNED);
        }
        format!("signed({})", self.unsigned(depth - 1))
    }

    /// An integer brought into 0..high.
    fn within(&mut self, high: usize) -> String {
        let value = self.integer(2);
        format!("(({value}) in 0..{high} ? ({value}) : 0)")
    }

    fn temporal(&mut self) -> String {
        let (a, b) = (self.boolean(1), self.boolean(1));
        let prefix = ["X", "G", "F", "Y", "Z", "H", "O", "G [0, 2]", "F [1, 2]", "H [0, 1]", "O [0, 1]"];
        match self.random.below(3) {
            0 => format!("{} ({a} {} {b})", self.pick(&prefix), self.pick(&["U", "V", "S", "T"])),
            _ => format!("{} ({a})", self.pick(&prefix)),
        }
    }

    fn branching(&mut self) -> String {
        let (a, b) = (self.boolean(1), self.boolean(1));
        let prefix = ["EX", "AX", "EF", "AF", "EG", "AG", "EBF 0..2", "ABF 0..2", "EBG 0..1", "ABG 0..1"];
        match self.random.below(3) {
            0 => format!("{} [ {a} {} {b} ]", self.pick(&["A", "E"]), self.pick(&["U", "BU 0..2"])),
            _ => format!("{} ({a})", self.pick(&prefix)),
        }
    }

    /// The module of the processes, what it inherits, and a module that only looks at one.
    fn cell(&mut self) -> String {
        let (points, [from, to, last]) = *self.random.pick(COUNTERS);
        let remark = self.pick(&["", "--@ pc: pc\n"]);
        let guard = self.pick(&["", "running & "]);
        let fairness = self.pick(&["FAIRNESS running", "JUSTICE running", "COMPASSION (running, is_idle)"]);
        format!(
            "MODULE base\nVAR base_flag : boolean;\nASSIGN init(base_flag) := FALSE; next(base_flag) := !base_flag;\n\
             MODULE cell(peer, x)\n{remark}ISA base\nVAR pc : {points}; n : 0..3;\nDEFINE is_idle := pc = {from};\n\
             ASSIGN init(pc) := {from}; init(n) := 0;\n\
             next(pc) := case {guard}pc = {from} & x < 3 : {{{from}, {to}}}; pc = {to} : {last}; TRUE : {from}; esac;\n\
             next(n) := peer.n < 3 & is_idle ? peer.n + 1 : 0;\n{fairness}\n\
             MODULE watch(peer, x)\nISA base\nDEFINE n := peer.n;\n"
        )
    }

    fn declarations(&mut self) -> String {
        let flag = self.pick(&["b & f = 1", "w = 0ud2_1", "p.pc = q.pc"]);
        let number = self.pick(&["g + 1", "pair[b ? 0 : 1]", "toint(s)"]);
        format!(
            "MODULE main\nCONSTANTS extra;\nFROZENVAR f : 0..1;\nIVAR push : boolean;\n\
             VAR g : 0..3; b : boolean; c : {{red, green}}; w : unsigned word[2]; s : signed word[2];\n\
             a : array 0..1 of 0..2; m : array 0..1 of array 0..1 of boolean; e : boolean;\n\
             p : process cell(q, g); q : process cell(p, g); r : watch(p, a[1]);\n\
             DEFINE d := {flag}; e2 := {number}; pair := [g, f];\n"
        )
    }

    fn assignments(&mut self) -> String {
        format!(
            "ASSIGN init(g) := 0; next(g) := {}; init(b) := FALSE; next(b) := {};\ninit(c) := red; \
             next(c) := {{red, {}}}; init(w) := 0ud2_0; next(w) := {}; init(s) := -0sd2_1; next(s) := {};\n\
             init(a[0]) := 1; next(a[0]) := {}; init(a[1]) := 0; next(a[1]) := {{0, 1}} union {};\n\
             m[0][0] := b; m[0][1] := !b; m[1][0] := m[0][1]; m[1][1] := m[0][0];\n",
            self.within(3),
            self.boolean(2),
            self.pick(&["red", "green", "c"]),
            self.unsigned(2),
            self.signed(2),
            self.within(2),
            self.within(2),
        )
    }

    fn relations(&mut self) -> String {
        let initial = self.pick(&["b", "e", "TRUE"]);
        let moves = ["push -> next(b) = b", "e -> next(e) | push", "next(g) >= 0 | push", "p.running -> next(e) = e"];
        format!("INIT f = 0 | {initial}\nINVAR e -> g < 4;\nTRANS {}\n", self.pick(&moves))
    }

    fn properties(&mut self) -> String {
        let (one, other, third) = (self.boolean(3), self.boolean(2), self.boolean(1));
        let mut text = format!("INVARSPEC {}\nINVARSPEC NAME second := {one} | {other} | {third};\n", self.boolean(2));
        text += &format!("INVARSPEC n < {} IN p\n", 1 + self.random.below(3));
        for index in 0..2 {
            text += &format!("LTLSPEC {}\nSPEC NAME ctl{index} := {};\n", self.temporal(), self.branching());
        }
        text + "COMPUTE MIN [b, e]\nPSLSPEC always b;\nPSLSPEC {b; e} |-> b;\n"
    }
}
