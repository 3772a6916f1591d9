//! The states that satisfy the parts of formulas.

use super::graph::{Edge, Graph};
use crate::cycle::Marks;
use rustc_hash::FxHashMap;
use system::{BinaryTemporal, ExprId, Formula, FormulaId, System, Truth, UnaryTemporal, Window};
use temporal::{Refusal, components};

/// For each state, whether it is one of them.
type Set = Vec<bool>;

/// What is known of parts of formulas. Only the values in fair states mean something.
pub struct Labels<'g> {
    graph: &'g Graph,
    atoms: &'g [ExprId],
    /// The states from which there is a fair run.
    pub fair: Set,
    known: FxHashMap<FormulaId, Set>,
}

impl<'g> Labels<'g> {
    /// No formula so far.
    pub fn new(graph: &'g Graph, atoms: &'g [ExprId]) -> Labels<'g> {
        let mut labels = Labels { graph, atoms, fair: vec![true; graph.states()], known: FxHashMap::default() };
        labels.fair = labels.globally(&labels.fair);
        labels
    }

    /// The states that satisfy a part that was labelled.
    pub fn known(&self, id: FormulaId) -> &Set {
        &self.known[&id]
    }

    /// Whether a part that was labelled has a value in a state.
    pub fn is_so(&self, state: u32, (id, truth): (FormulaId, Truth)) -> bool {
        self.known(id)[state as usize] == truth.value()
    }

    /// Labels a formula and its parts.
    pub fn of(&mut self, system: &System, root: FormulaId) -> Result<(), Refusal> {
        for id in system.formulas.parts(root) {
            if !self.known.contains_key(&id) {
                let set = self.label(system.formulas.get(id))?;
                self.known.insert(id, set);
            }
        }
        Ok(())
    }

    fn label(&self, formula: Formula) -> Result<Set, Refusal> {
        let of = |id: FormulaId| &self.known[&id];
        let both = |a, b, op: fn(bool, bool) -> bool| of(a).iter().zip(of(b)).map(|(a, b)| op(*a, *b)).collect();
        Ok(match formula {
            Formula::State(expr) => {
                let bit = self.atoms.iter().position(|atom| *atom == expr).unwrap_or_default();
                self.graph.atoms.iter().map(|seen| seen >> bit & 1 == 1).collect()
            }
            Formula::Not(a) => not(of(a)),
            Formula::And(a, b) => both(a, b, |a, b| a && b),
            Formula::Or(a, b) => both(a, b, |a, b| a || b),
            Formula::Implies(a, b) => both(a, b, |a, b| !a || b),
            Formula::Iff(a, b) => both(a, b, |a, b| a == b),
            Formula::Xor(a, b) => both(a, b, |a, b| a != b),
            Formula::Unary(op, window, a) => self.unary(op, window, of(a))?,
            Formula::Binary(op, window, a, b) => self.binary(op, window, of(a), of(b))?,
        })
    }

    fn unary(&self, op: UnaryTemporal, window: Option<Window>, a: &Set) -> Result<Set, Refusal> {
        let all = vec![true; self.graph.states()];
        Ok(match (op, window) {
            (UnaryTemporal::SomeNext, None) => self.next(a),
            (UnaryTemporal::SomeFinally, None) => self.until(&all, a),
            (UnaryTemporal::SomeGlobally, None) => self.globally(a),
            (UnaryTemporal::SomeFinally, Some(window)) => self.bounded(window, &all, a),
            (UnaryTemporal::SomeGlobally, Some(window)) => self.during(window, a),
            (UnaryTemporal::AllNext, None) => self.all_next(a),
            (UnaryTemporal::AllFinally, None) => not(&self.globally(&not(a))),
            (UnaryTemporal::AllGlobally, None) => not(&self.until(&all, &not(a))),
            (UnaryTemporal::AllFinally, Some(window)) => not(&self.during(window, &not(a))),
            (UnaryTemporal::AllGlobally, Some(window)) => not(&self.bounded(window, &all, &not(a))),
            _ => return Err("an operator of LTL in a formula of CTL".to_owned()),
        })
    }

    fn binary(&self, op: BinaryTemporal, window: Option<Window>, a: &Set, b: &Set) -> Result<Set, Refusal> {
        Ok(match (op, window) {
            (BinaryTemporal::SomeUntil, None) => self.until(a, b),
            (BinaryTemporal::SomeUntil, Some(window)) => self.bounded(window, a, b),
            (BinaryTemporal::AllUntil, None) => {
                let not_b = not(b);
                let broken = self.until(&not_b, &and(&not(a), &not_b));
                let never = self.globally(&not_b);
                broken.iter().zip(&never).map(|(broken, never)| !broken && !never).collect()
            }
            (BinaryTemporal::AllUntil, Some(window)) => self.all_bounded(window, a, b),
            _ => return Err("an operator of LTL in a formula of CTL".to_owned()),
        })
    }

    /// EX p
    fn next(&self, p: &Set) -> Set {
        let edges = self.graph.edges.iter();
        edges.map(|leaving| leaving.iter().any(|edge| p[edge.to as usize] && self.fair[edge.to as usize])).collect()
    }

    /// AX p
    fn all_next(&self, p: &Set) -> Set {
        not(&self.next(&not(p)))
    }

    /// E [ p U q ]
    fn until(&self, p: &Set, q: &Set) -> Set {
        self.backwards(p, and(q, &self.fair))
    }

    /// The states of a set, and those of p from which only states of p lead there.
    fn backwards(&self, p: &Set, mut found: Set) -> Set {
        let mut open: Vec<usize> = (0..found.len()).filter(|state| found[*state]).collect();
        while let Some(state) = open.pop() {
            for before in &self.graph.before[state] {
                let before = *before as usize;
                if p[before] && !std::mem::replace(&mut found[before], true) {
                    open.push(before);
                }
            }
        }
        found
    }

    /// EG p: a component inside p that meets every constraint can be reached inside p.
    fn globally(&self, p: &Set) -> Set {
        let inside: Vec<Vec<Edge>> = (self.graph.edges.iter().zip(p))
            .map(|(leaving, is_in)| leaving.iter().filter(|edge| *is_in && p[edge.to as usize]).copied().collect())
            .collect();
        let component = components(&inside, |edge| edge.to as usize);
        let count = component.iter().max().map_or(0, |last| last + 1);
        let mut met: Vec<Option<Marks>> = vec![None; count];
        for (from, leaving) in inside.iter().enumerate() {
            for edge in leaving.iter().filter(|edge| component[edge.to as usize] == component[from]) {
                *met[component[from]].get_or_insert(0) |= edge.marks;
            }
        }
        let needed = self.graph.needed;
        let is_fair = component.iter().map(|at| met[*at].is_some_and(|met| met & needed == needed));
        self.backwards(p, is_fair.collect())
    }

    /// E [ p BU from..to q ]
    fn bounded(&self, window: Window, p: &Set, q: &Set) -> Set {
        let q = and(q, &self.fair);
        let found = repeated(window.to - window.from, q.clone(), |found| {
            let before = and(&self.next(found), p);
            before.iter().zip(&q).map(|(before, q)| *before || *q).collect()
        });
        repeated(window.from, found, |found| and(&self.next(found), p))
    }

    /// EBG from..to p
    fn during(&self, window: Window, p: &Set) -> Set {
        let start = and(p, &self.fair);
        let found = repeated(window.to - window.from, start, |found| and(&self.next(found), p));
        repeated(window.from, found, |found| self.next(found))
    }

    /// A [ p BU from..to q ]
    fn all_bounded(&self, window: Window, p: &Set, q: &Set) -> Set {
        let found = repeated(window.to - window.from, q.clone(), |found| {
            let before = and(&self.all_next(found), p);
            before.iter().zip(q).map(|(before, q)| *before || *q).collect()
        });
        repeated(window.from, found, |found| and(&self.all_next(found), p))
    }
}

/// Does something this many times, or until nothing changes any more.
fn repeated(count: u32, mut set: Set, step: impl Fn(&Set) -> Set) -> Set {
    for _ in 0..count {
        let next = step(&set);
        if next == set {
            break;
        }
        set = next;
    }
    set
}

fn not(set: &Set) -> Set {
    set.iter().map(|is_in| !is_in).collect()
}

fn and(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}
