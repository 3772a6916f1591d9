//! Random Promela programs in which `d_step`, `else`, `unless` and selections are nested in each other, with every construct
//! that the other random programs do not have.
//!
//! A few are rejected, by SPIN too: an option can bring a second `else` along, and jumps can lead nowhere.

use crate::numbers::Random;

/// A random program, whose states and transitions SPIN counts.
pub fn nested_program(seed: u64) -> String {
    let mut generator = Generator { random: Random::new(seed ^ 0x4e57), next_label: 0 };
    generator.model()
}

/// The same without rendezvous, with a claim and formulas that ask for whatever can be asked.
pub fn observed_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x0b5e);
    let program = nested_program(seed).replace("chan r0 = [0]", "chan r0 = [1]");
    let asked = ["enabled(0)", "np_", "pc_value(0) == 2", "_last == 0", "P0[0]@start", "P0[0]:y == 1", "a <= 2"];
    let (first, second) = (random.pick(&asked), random.pick(&asked));
    let formulas = [
        format!("[] ({first} -> {second})"),
        format!("<> ({first}) <-> X ({second})"),
        format!("({first}) U ({second})"),
        format!("({first}) W ({second})"),
        format!("({first}) V ({second})"),
    ];
    let formula = random.pick(&formulas);
    format!("{program}ltl asked {{ {formula} }}\nnever {{ do :: {first} -> break :: else od; {second} }}\n")
}

/// The same without rendezvous, with priorities that change.
pub fn governed_program(seed: u64) -> String {
    let mut random = Random::new(seed ^ 0x9017);
    let program = nested_program(seed).replace("chan r0 = [0]", "chan r0 = [1]");
    let changes =
        ["set_priority(_pid, 2)", "set_priority(0, 1 + a)", "(get_priority(_pid) == 1 || _priority == 2 || a > 0)"];
    program.replace("start: skip", &format!("start: {}", random.pick(&changes)))
}

/// Where a statement is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Place {
    Free,
    /// Inside a `d_step`, behind its first statement: nothing here blocks.
    DStep,
}

struct Generator {
    random: Random,
    next_label: usize,
}

impl Generator {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn pick(&mut self, among: &[&str]) -> String {
        (*self.random.pick(among)).to_owned()
    }

    fn model(&mut self) -> String {
        let mut text = String::from(
            "mtype = { red, green };\nmtype : size = { big, small };\ntypedef Pair { byte fst; bit snd[2] };
byte a, b = 1; bit f; short s; int i; unsigned u : 3; pid who; byte arr[3] = { 1, 2 }; mtype m; mtype : size z0; Pair p;
hidden byte h;
chan c0 = [1] of { byte }; chan c1 = [2] of { mtype, bit }; chan r0 = [0] of { byte }; chan d0 = c0;
inline put(v) { if :: a < 2 -> a = v :: else -> skip fi }\n",
        );
        for number in 0..1 + self.random.below(2) {
            text += &self.proctype(number);
        }
        if self.one_in(3) {
            text +=
                "proctype Child(byte x) { atomic { a = x; b = _nr_pr } }\ninit { who = run Child(1); run Child(a) }\n";
        }
        text
    }

    fn proctype(&mut self, number: usize) -> String {
        let head = match self.random.below(8) {
            0 => format!("active [2] proctype P{number}()"),
            1 => format!("active proctype P{number}() provided (a < 3)"),
            2 => format!("active D_proctype P{number}()"),
            _ => format!("active proctype P{number}()"),
        };
        let statements: Vec<String> = (0..1 + self.random.below(3)).map(|_| self.statement(3, Place::Free)).collect();
        let end = if self.one_in(3) { ";\n  end: skip" } else { "" };
        let locals = "byte x; byte y = 1; byte z;";
        format!("{head}\n{{ {locals}\n  start: skip;\n  {}{end}\n}}\n", statements.join(";\n  "))
    }

    fn sequence(&mut self, depth: usize, place: Place) -> String {
        let parts: Vec<String> = (0..1 + self.random.below(2)).map(|_| self.statement(depth, place)).collect();
        parts.join("; ")
    }

    fn statement(&mut self, depth: usize, place: Place) -> String {
        if depth == 0 || self.one_in(4) {
            return self.simple(place);
        }
        let depth = depth - 1;
        match (self.random.below(10), place) {
            (0 | 1, _) => format!("if {} fi", self.options(depth, place)),
            (2, Place::Free) => format!("do {} :: a > 1 -> break od", self.options(depth, place)),
            (2, Place::DStep) => format!("for (z : 0 .. 1) {{ {} }}", self.quiet()),
            (3, _) => format!("atomic {{ {} }}", self.sequence(depth, place)),
            (4, _) => format!("{{ {} }}", self.sequence(depth, place)),
            (5 | 6, Place::Free) => self.d_step(depth),
            (5 | 6, Place::DStep) => format!("d_step {{ {} }}", self.sequence(depth, place)),
            (7 | 8, Place::Free) => {
                format!("{{ {} }} unless {{ {} }}", self.sequence(depth, place), self.escape(depth))
            }
            (9, Place::Free) => self.declaring(),
            _ => self.quiet(),
        }
    }

    /// A block with declarations that are steps.
    fn declaring(&mut self) -> String {
        self.pick(&[
            "{ byte w[2]; Pair q; w[1] = a; q.fst = w[0] }",
            "{ Pair q; Pair r; r.fst = q.fst }",
            "{ byte w[2] = { 1, 2 }; byte v = w[1]; b = v }",
            "select (z : 0 .. 1)",
        ])
    }

    /// A `d_step`: what it begins with may block, what follows does not.
    fn d_step(&mut self, depth: usize) -> String {
        let begin = match self.random.below(8) {
            0 | 1 => format!("{}; ", self.condition()),
            2 => format!("{}; ", self.receive()),
            3 => "else; ".to_owned(),
            4 => format!("{{ {}; {} }}; ", self.guard(), self.quiet()),
            5 => format!("if {} fi; ", self.entry()),
            _ => String::new(),
        };
        format!("d_step {{ {begin}{} }}", self.sequence(depth, Place::DStep))
    }

    /// Options that a `d_step` begins with, of which SPIN does not ask all.
    fn entry(&mut self) -> String {
        let last = match self.random.below(5) {
            0 => format!(":: {}", self.quiet()),
            1 => format!(":: if :: {} :: else -> {} fi", self.condition(), self.quiet()),
            2 => format!(":: {{ {}; {} }}", self.quiet(), self.quiet()),
            _ => format!(":: else -> {}", self.quiet()),
        };
        format!(":: {} -> {} {last}", self.condition(), self.quiet())
    }

    fn escape(&mut self, depth: usize) -> String {
        match self.random.below(6) {
            0 => format!("d_step {{ else -> {} }}", self.quiet()),
            1 => format!("d_step {{ {}; {} }}", self.condition(), self.sequence(depth, Place::DStep)),
            2 => format!("atomic {{ {}; {} }}", self.condition(), self.quiet()),
            3 => format!("if :: {} -> {} :: {} fi", self.condition(), self.quiet(), self.guard()),
            4 => format!("{}; {}", self.receive(), self.quiet()),
            _ => format!("{}; {}", self.condition(), self.sequence(depth, Place::Free)),
        }
    }

    fn options(&mut self, depth: usize, place: Place) -> String {
        let mut options = Vec::new();
        for _ in 0..1 + self.random.below(2) {
            options.push(match (place, self.random.below(6)) {
                (Place::DStep, _) => format!(":: {} -> {}", self.condition(), self.sequence(depth, place)),
                (Place::Free, 0) => format!(":: {}", self.d_step(depth)),
                (Place::Free, 1) => format!(":: atomic {{ {}; {} }}", self.guard(), self.sequence(depth, place)),
                (Place::Free, _) => format!(":: {} -> {}", self.guard(), self.sequence(depth, place)),
            });
        }
        let otherwise = match (place, self.random.below(6)) {
            (Place::DStep, _) | (Place::Free, 0) => Some(format!(":: else -> {}", self.quiet())),
            (Place::Free, 1 | 2) => Some(format!(":: d_step {{ else -> {} }}", self.sequence(depth, Place::DStep))),
            (Place::Free, 3) => Some(format!(":: atomic {{ else -> {} }}", self.sequence(depth, place))),
            (Place::Free, _) => None,
        };
        // Where an else is hidden in a block, its place among the options matters.
        let at = if place == Place::DStep { options.len() } else { self.random.below(options.len() + 1) };
        if let Some(otherwise) = otherwise {
            options.insert(at, otherwise);
        }
        options.join(" ")
    }

    /// Something that may block.
    fn guard(&mut self) -> String {
        match self.random.below(6) {
            0 => self.send(),
            1 => self.receive(),
            2 => "timeout".to_owned(),
            _ => self.condition(),
        }
    }

    fn condition(&mut self) -> String {
        self.pick(&[
            "a == 0",
            "b <= 1",
            "f",
            "x != y",
            "(a > b || f)",
            "(a >= 1 && ~f != 0)",
            "len(c0) < 1",
            "nempty(c1)",
            "empty(c0)",
            "nfull(c1)",
            "full(d0)",
            "c0?[1]",
            "c1??[red, eval(f)]",
            "(f -> a == 1 : b == 1)",
            "(a - b) * 2 > i",
            "(s >> 1) == (u & 3)",
            "m == green",
            "_pid > 0",
            "_nr_pr < 3",
            "(a / 2 == 0)",
        ])
    }

    fn send(&mut self) -> String {
        self.pick(&["c0!a", "c1!red,f", "r0!y", "d0!1", "c1!!green,0"])
    }

    fn receive(&mut self) -> String {
        self.pick(&["c0?a", "c1?m,f", "c1?red,_", "r0?y", "d0?x", "c1??green,f", "c0?<b>", "c0?h", "c1?m,eval(f)"])
    }

    fn quiet(&mut self) -> String {
        self.pick(&[
            "a = (a + 1) % 3",
            "b = x",
            "f = !f",
            "arr[a % 3] = 1",
            "x = 1 - x",
            "y = y ^ 1",
            "skip",
            "printf(\"%d %e\\n\", a, m)",
            "s = -a",
            "p.snd[b % 2] = f",
            "m = red",
            "z0 = small",
            "h = h + 1",
            "u = (a << 1) | f",
            "i = (i + 1) % 2",
            "assert(a < 3)",
            "put(b)",
        ])
    }

    fn simple(&mut self, place: Place) -> String {
        if place == Place::DStep || self.one_in(2) {
            return self.quiet();
        }
        match self.random.below(6) {
            0 => self.send(),
            1 => self.receive(),
            2 => self.condition(),
            3 => "if :: goto start :: a = (a + 1) % 3 fi".to_owned(),
            4 => {
                self.next_label += 1;
                let labelled = self.quiet();
                format!("L{}: {labelled}", self.next_label)
            }
            _ => self.declaring(),
        }
    }
}
