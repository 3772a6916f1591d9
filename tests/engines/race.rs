//! The race: who is told what, and that two jobs come to the same in each run.

use std::cell::RefCell;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use system::{Machine, PropertyId};
use testkit::traces::model;
use uwbmc::Model;
use uwbmc::bounded::{Guest, Hunter, Jobs, Race, Strategy, Workers, Zeal, race};
use uwbmc::engine::{Engine, Findings, Stop, Trouble, Verdict};
use uwbmc::explicit::Limits;
use uwbmc::limits::{Effort, Handle, Work};
use uwbmc::sat::{Choice, Setup};

/// All who can take part.
fn everybody() -> Workers {
    Workers { visits: Some(100_000_000), walks: Some(3), zeal: Zeal::Eager, ..Workers::default() }
}

/// Only those who settle bounds.
fn provers() -> Workers {
    let provers = vec![Strategy::widening(), Strategy::pruned()];
    Workers { provers, hunter: Hunter::Absent, scouts: Vec::new(), ..Workers::default() }
}

/// A race, and everything that was told on the way.
fn told(
    machine: &Machine,
    bound: usize,
    (workers, jobs): (&Workers, Jobs),
    guest: Option<Guest>,
) -> (Findings, Vec<Findings>) {
    let start = |phase| Choice::default().start(Setup { phase, ..Setup::default() });
    let properties: Vec<PropertyId> = machine.system().properties.indices().collect();
    let heard = Mutex::new(Vec::new());
    let tell = |found: &Findings| heard.lock().expect("one thread tells").push(found.clone());
    let question = Race { machine, properties: &properties, bound, start: &start, guest, tell: &tell };
    let found = race(question, workers, jobs, &mut Handle::default()).expect("supported");
    (found, heard.into_inner().expect("no thread panicked"))
}

/// Counters that reach some values and not others, in different depths: one is found by a look at few states, another takes a prover.
const COUNTERS: &str = "MODULE counter(most)
VAR x : 0..60;
ASSIGN init(x) := 0; next(x) := case x < most : {x, x + 1}; TRUE : x; esac;
FAIRNESS running
MODULE main
VAR a : process counter(50); b : process counter(50); c : process counter(50); d : process counter(50); e : process counter(50);
INVARSPEC NAME early := a.x < 2;
INVARSPEC NAME late := !(b.x = 6 & c.x = 6 & d.x = 6)
INVARSPEC NAME never := e.x < 51
";

/// The verdicts, each by name; the run is shown by its states.
fn verdicts(machine: &Machine, found: &Findings) -> Vec<(String, String)> {
    let verdicts = found.verdicts.iter().map(|(id, verdict)| {
        let what = match verdict {
            Verdict::Violated(trace) => format!("{:?}", trace.states.iter().collect::<Vec<_>>()),
            other => other.word().to_owned(),
        };
        (machine.system().properties[*id].name.clone(), what)
    });
    verdicts.collect()
}

#[test]
fn what_is_told_only_grows() {
    let (_, machine) = model("counters.smv", COUNTERS.as_bytes());
    for jobs in [Jobs::One, Jobs::Two] {
        for (workers, bound) in [(everybody(), 22), (provers(), 6)] {
            let (found, heard) = told(&machine, bound, (&workers, jobs), None);
            assert!(!heard.is_empty());
            for pair in heard.windows(2) {
                let [before, after] = [verdicts(&machine, &pair[0]), verdicts(&machine, &pair[1])];
                assert!(after.starts_with(&before), "{jobs:?}: what was found stays found, and is found once");
                assert!(pair[0].settled <= pair[1].settled, "{jobs:?}: a bound that is settled stays settled");
            }
            let last = heard.last().expect("something was told");
            assert_eq!(verdicts(&machine, last), verdicts(&machine, &found)[..last.verdicts.len()]);
            let names: Vec<String> = verdicts(&machine, &found).into_iter().map(|(name, _)| name).collect();
            let expected = if bound < 18 { vec!["early"] } else { vec!["early", "late"] };
            assert_eq!(names, expected, "{jobs:?} up to {bound}");
            assert_eq!((found.stop, found.settled >= Some(bound)), (Stop::Bound, true), "{jobs:?} up to {bound}");
        }
    }
}

thread_local! {
    /// What a guest on this thread is told, and is to say.
    static GUEST: RefCell<Told> = const { RefCell::new(Told { forgotten: Vec::new(), says: None }) };
}

struct Told {
    forgotten: Vec<PropertyId>,
    says: Option<(PropertyId, &'static str)>,
}

/// An engine that remembers what it is told to forget, and decides what it is told to.
struct Listener {
    found: Findings,
    work: Work,
}

impl Engine for Listener {
    fn turn(&mut self, _: Effort, _: &mut Handle<'_>) -> Result<Option<Stop>, Trouble> {
        self.work.ticks += 1_000_000;
        if let Some((property, why)) = GUEST.with_borrow_mut(|told| told.says.take()) {
            self.found.verdicts.push((property, Verdict::Holds(why.to_owned())));
        }
        Ok(None)
    }

    fn found(&self) -> &Findings {
        &self.found
    }

    fn forget(&mut self, property: PropertyId) {
        GUEST.with_borrow_mut(|told| told.forgotten.push(property));
    }

    fn work(&self) -> Work {
        self.work
    }
}

fn listens<'m>(_: &'m Machine, _: &'m [PropertyId], _: Limits) -> Box<dyn Engine + 'm> {
    Box::new(Listener { found: Findings::new("listener"), work: Work::default() })
}

const LISTENER: Guest = Guest { begin: listens, memory: 1_000_000 };

#[test]
fn a_worker_is_told_what_others_have_found() {
    let (_, machine) = model("counters.smv", COUNTERS.as_bytes());
    let id =
        |name: &str| machine.system().properties.indices().find(|id| machine.system().properties[*id].name == name);
    for jobs in [Jobs::One, Jobs::Two] {
        GUEST.with_borrow_mut(|told| *told = Told { forgotten: Vec::new(), says: None });
        let (found, _) = told(&machine, 22, (&everybody(), jobs), Some(LISTENER));
        GUEST.with_borrow(|told| {
            for name in ["early", "late"] {
                assert!(told.forgotten.iter().any(|forgotten| Some(*forgotten) == id(name)), "{jobs:?}: {name}");
            }
            assert!(!told.forgotten.iter().any(|forgotten| Some(*forgotten) == id("never")), "{jobs:?}");
        });
        assert_eq!(found.settled, Some(22), "{jobs:?}");
    }
}

#[test]
fn what_a_guest_decides_is_decided() {
    let (_, machine) = model("counters.smv", COUNTERS.as_bytes());
    let never = machine.system().properties.indices().next_back().expect("three");
    for jobs in [Jobs::One, Jobs::Two] {
        GUEST.with_borrow_mut(|told| *told = Told { forgotten: Vec::new(), says: Some((never, "it says so")) });
        // No worker settles this bound in any time; the guest makes it unnecessary.
        let (found, _) = told(&machine, 100_000, (&everybody(), jobs), Some(LISTENER));
        let mut known = verdicts(&machine, &found);
        known.sort();
        let names: Vec<&str> = known.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!((names, found.stop), (vec!["early", "late", "never"], Stop::Decided), "{jobs:?}");
    }
}

/// Keeps a core busy, so that two threads do not get on as they did the last time.
fn while_busy<T>(work: impl FnOnce() -> T) -> T {
    let over = AtomicBool::new(false);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !over.load(Ordering::Relaxed) {
                    std::hint::spin_loop();
                }
            });
        }
        let done = work();
        over.store(true, Ordering::Relaxed);
        done
    })
}

#[test]
fn two_jobs_come_to_the_same_in_each_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("models");
    // Found by those who hunt, by those who prove, and not at all.
    for (name, bound) in [("mesi/mesi-4-broken.smv", 40), ("leader/leader-6.smv", 18), ("mutex/peterson-5.smv", 12)] {
        let Model { machine, .. } = Model::load(root.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        // Without visits, which would have the answer before two sides begin.
        let workers = Workers { visits: None, walks: None, ..everybody() };
        let run = || {
            let (found, _) = told(&machine, bound, (&workers, Jobs::Two), None);
            (verdicts(&machine, &found), found.settled, found.stop, found.engine, found.cost.queries)
        };
        let first = run();
        assert_eq!(run(), first, "{name}");
        assert_eq!(while_busy(run), first, "{name}, on a busy machine");
    }
}
