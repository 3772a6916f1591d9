//! Breadth-first search leaves out what cannot influence the properties: beside it, random systems are decided as they are alone.
//!
//! The oracle is a table of the steps, searched here; the model checker only sees the text.

use std::collections::BTreeSet;
use testkit::systems::Random;
use uwbmc::check::{Choice, Visiting};
use uwbmc::explicit::{Order, Reduction, Sets};
use uwbmc::{Language, Model, Options, Verdict, check};

/// How many random systems there are; `UWBMC_CONE_SEEDS` says otherwise.
const SEEDS: u64 = 12;

/// The values of the two variables that matter, and of the free one.
const X: usize = 6;
const Y: usize = 3;

/// How the system moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// All at once: a free variable matters, too.
    Together,
    /// A process of its own, beside one that counts.
    Apart,
}

/// A random system of two variables, and what is beside it.
struct Sketch {
    kind: Kind,
    initial: BTreeSet<usize>,
    /// For x, y and the free variable, the next values of x.
    next_x: Vec<BTreeSet<usize>>,
    /// For x and y, the next value of y.
    next_y: Vec<usize>,
    /// The pairs that are not to be reached.
    wrong: Vec<(usize, usize)>,
    /// A relation elsewhere forbids all steps after this many.
    stops_after: Option<usize>,
}

impl Sketch {
    fn new(random: &mut Random) -> Sketch {
        let some = |random: &mut Random, most: usize| -> BTreeSet<usize> {
            (0..=random.below(most)).map(|_| random.below(X)).collect()
        };
        let kind = *random.pick(&[Kind::Together, Kind::Together, Kind::Apart]);
        let stops = kind == Kind::Together && random.chance(30);
        Sketch {
            kind,
            initial: some(random, 2),
            next_x: (0..X * Y * 2).map(|_| some(random, 2)).collect(),
            next_y: (0..X * Y).map(|_| random.below(Y)).collect(),
            wrong: (0..3).map(|_| (random.below(X), random.below(Y))).collect(),
            stops_after: stops.then(|| random.below(4)),
        }
    }

    /// For each property, the length of a shortest run that violates it.
    fn depths(&self) -> Vec<Option<usize>> {
        let mut depths = vec![None; self.wrong.len()];
        let mut level: BTreeSet<(usize, usize)> = self.initial.iter().map(|x| (*x, 0)).collect();
        let mut seen = level.clone();
        for depth in 0.. {
            for (_, found) in self.wrong.iter().zip(&mut depths).filter(|(wrong, _)| level.contains(wrong)) {
                found.get_or_insert(depth);
            }
            if level.is_empty() || self.stops_after.is_some_and(|most| depth >= most) {
                break;
            }
            level = level.iter().flat_map(|state| self.after(*state)).filter(|state| seen.insert(*state)).collect();
        }
        depths
    }

    fn after(&self, (x, y): (usize, usize)) -> Vec<(usize, usize)> {
        let free: &[usize] = if self.kind == Kind::Together { &[0, 1] } else { &[0] };
        let next_x = free.iter().flat_map(|free| &self.next_x[(x * Y + y) * 2 + free]);
        next_x.map(|next| (*next, self.next_y[x * Y + y])).collect()
    }

    /// The part that matters.
    fn part(&self) -> String {
        let list = |values: &BTreeSet<usize>| {
            let values: Vec<String> = values.iter().map(usize::to_string).collect();
            format!("{{{}}}", values.join(", "))
        };
        let (mut of_x, mut of_y) = (String::new(), String::new());
        for (x, y) in (0..X).flat_map(|x| (0..Y).map(move |y| (x, y))) {
            let at = x * Y + y;
            if self.kind == Kind::Together {
                of_x += &format!("    x = {x} & y = {y} & free : {};\n", list(&self.next_x[at * 2 + 1]));
            }
            of_x += &format!("    x = {x} & y = {y} : {};\n", list(&self.next_x[at * 2]));
            of_y += &format!("    x = {x} & y = {y} : {};\n", self.next_y[at]);
        }
        let free = if self.kind == Kind::Together { "free : boolean;" } else { "" };
        format!(
            "VAR x : 0..{}; y : 0..{}; {free}\nASSIGN init(x) := {}; init(y) := 0;\n\
             next(x) := case\n{of_x}    TRUE : x;\n  esac;\n  next(y) := case\n{of_y}    TRUE : y;\n  esac;\n",
            X - 1,
            Y - 1,
            list(&self.initial)
        )
    }

    /// The system beside what does not matter: values that nothing decides, and counters, one of which looks at what matters.
    fn beside(&self, random: &mut Random) -> String {
        let (mut beside, owner) = (String::new(), if self.kind == Kind::Together { "" } else { "p." });
        let free = if random.chance(70) { 40 } else { 5 };
        (0..free).for_each(|one| beside += &format!("VAR f{one} : boolean;\n"));
        (0..free / 2).filter(|one| one % 3 == 0).for_each(|one| beside += &format!("ASSIGN next(f{one}) := f{one};\n"));
        let counts = "VAR w : 0..65535; z : 0..65535;\nASSIGN init(w) := 0; next(w) := (w + 1) mod 65536;\n\
                      next(z) := case x = 1 : (z + 7) mod 65536; TRUE : (z + w) mod 65536; esac;\n";
        let stops = self.stops_after.map_or(String::new(), |steps| {
            format!("VAR t : 0..{};\nASSIGN init(t) := 0;\nTRANS next(t) = t + 1\n", steps.max(1)) + &stop(steps)
        });
        let wrong = self.wrong.iter().enumerate();
        let properties: String = wrong
            .map(|(name, (x, y))| format!("INVARSPEC NAME never_{name} := !({owner}x = {x} & {owner}y = {y})\n"))
            .collect();
        match self.kind {
            Kind::Together => format!("MODULE main\n{}{counts}{beside}{stops}{properties}", self.part()),
            Kind::Apart => format!(
                "MODULE part\n{}MODULE counter(x)\n{counts}MODULE main\n\
                 VAR p : process part; q : process counter(p.x);\n{beside}{properties}",
                self.part()
            ),
        }
    }
}

/// A relation that forbids the first step already, where the counter of steps has two values.
fn stop(steps: usize) -> String {
    if steps == 0 { "TRANS next(t) = 0\n".to_owned() } else { String::new() }
}

/// The search that leaves out what does not matter.
fn breadth_first() -> Options {
    let visiting = Visiting { order: Some(Order::BreadthFirst), ..Visiting::default() };
    Options { visiting, ..Options::default().engine(Choice::Explicit) }
}

/// The ways of search that visit states.
fn ways() -> Vec<(&'static str, Options)> {
    let depth_first = |sets| {
        let reduction = Reduction { sets, ..Reduction::default() };
        let visiting = Visiting { order: Some(Order::DepthFirst), reduction, ..Visiting::default() };
        Options { visiting, ..Options::default().engine(Choice::Explicit) }
    };
    let visiting = Visiting { depth: 6, ..Visiting::default() };
    vec![
        ("breadth-first", breadth_first()),
        ("depth-first", depth_first(Sets::None)),
        ("with reductions", depth_first(Sets::Both)),
        ("stateless", Options { visiting, ..Options::default().engine(Choice::Stateless) }),
    ]
}

#[test]
fn what_does_not_matter_makes_no_difference() {
    let seeds = std::env::var("UWBMC_CONE_SEEDS").map_or(SEEDS, |seeds| seeds.parse().expect("a number"));
    let (mut violated, mut cut) = (0, 0);
    for seed in 0..seeds {
        let mut random = Random::new(seed);
        let sketch = Sketch::new(&mut random);
        let text = sketch.beside(&mut random);
        let model = Model::parse(&text, Language::Smv).expect("a model");
        let depths = sketch.depths();
        let report = check(&model, &breadth_first(), &mut ()).expect("an answer");
        for (checked, depth) in report.properties.iter().zip(&depths) {
            match (&checked.verdict, depth) {
                (Verdict::Violated(trace), Some(depth)) => {
                    violated += 1;
                    assert_eq!(trace.moves.len(), *depth, "seed {seed}\n{text}");
                }
                (Verdict::Holds(why), None) => cut += usize::from(why.ends_with("in the cone of influence")),
                (verdict, depth) => panic!("seed {seed}: {verdict}, but {depth:?}\n{text}"),
            }
        }
        bounded(&model, &depths, seed);
    }
    assert!(violated > 0 && cut > 0);
}

/// The same up to a bound.
fn bounded(model: &Model, depths: &[Option<usize>], seed: u64) {
    const BOUND: usize = 3;
    let options = Options::default().engine(Choice::Explicit).bound(BOUND);
    let report = check(model, &options, &mut ()).expect("an answer");
    for (checked, depth) in report.properties.iter().zip(depths) {
        match (&checked.verdict, depth.filter(|depth| *depth <= BOUND)) {
            (Verdict::Violated(trace), Some(depth)) => assert_eq!(trace.moves.len(), depth, "seed {seed}"),
            (Verdict::HoldsUpTo(BOUND) | Verdict::Holds(_), None) => {}
            (verdict, depth) => panic!("seed {seed}: {verdict}, but {depth:?}"),
        }
    }
}

/// A model with this many values, all of which matter: any but all false at the beginning, and where all are true, and nowhere else, the counter
/// moves.
fn all_matter(free: usize) -> Model {
    let vars: String = (0..free).map(|one| format!("f{one} : boolean; ")).collect();
    let all: Vec<String> = (0..free).map(|one| format!("f{one}")).collect();
    let kept: String = (0..free).map(|one| format!("next(f{one}) := f{one}; ")).collect();
    let text = format!(
        "MODULE main\nVAR {vars} c : 0..3;\nASSIGN {kept} init(c) := 0;\n\
         next(c) := case {} & c < 3 : c + 1; TRUE : c; esac;\nINIT {}\nINVARSPEC c < 3\nINVARSPEC c < 4\n",
        all.join(" & "),
        all.join(" | ")
    );
    Model::parse(&text, Language::Smv).expect("a model")
}

#[test]
fn more_initial_states_than_are_listed_at_once_are_visited() {
    let model = all_matter(17);
    for (way, options) in ways() {
        let report = check(&model, &options, &mut ()).expect("an answer");
        let verdicts: Vec<&Verdict> = report.properties.iter().map(|checked| &checked.verdict).collect();
        assert!(matches!(verdicts[0], Verdict::Violated(trace) if trace.moves.len() == 3), "{way}: {}", verdicts[0]);
        assert!(matches!(verdicts[1], Verdict::Holds(_)), "{way}: {}", verdicts[1]);
        if way == "breadth-first" {
            assert_eq!(report.cost.states, Some((1 << 17) - 1 + 3));
        }
    }
}

#[test]
fn too_many_initial_states_are_told_with_a_way_out() {
    let options = Options::default().engine(Choice::Explicit).memory(10_000_000);
    let report = check(&all_matter(40), &options, &mut ()).expect("an answer");
    for checked in &report.properties {
        let verdict = checked.verdict.to_string();
        assert!(verdict.starts_with("unknown (the memory limit was reached before the first step"), "{verdict}");
        assert!(verdict.contains("--engine symbolic"), "{verdict}");
    }
}
