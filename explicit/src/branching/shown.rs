//! Runs that show why formulas of CTL have their values, as far as a single path does.
//!
//! A path leads to where the p of `EF p` is true, or to where that of `AG p` is false, and goes on from there with what p says. It ends
//! where it would take all runs, several of them or an infinite one to show more.

use super::graph::Graph;
use super::labels::Labels;
use crate::trace::through;
use engine::{Branch, Explanation, Grounds, Reason, Role, Truth};
use system::{BinaryTemporal, Formula, FormulaId, Machine, UnaryTemporal};

/// Something that is said of a state.
type Said = (FormulaId, Truth);

/// What comes next: some steps on the way to a state, and what is said there.
struct Leg {
    steps: Vec<u32>,
    then: Said,
    grounds: Grounds,
}

/// Why a formula has its value in a state from which there is a fair run.
pub fn explanation(machine: &Machine, graph: &Graph, labels: &Labels<'_>, start: u32, said: Said) -> Explanation {
    let shower = Shower { machine, graph, labels };
    let (mut path, mut reasons, mut said) = (vec![start], Vec::new(), said);
    loop {
        let (formula, truth) = said;
        let leg = shower.leg(path[path.len() - 1], said);
        let grounds = leg.as_ref().map_or(shower.last_grounds(formula), |leg| leg.grounds);
        reasons.push(Reason { state: path.len() - 1, formula, truth, role: Role::Operand, grounds });
        let Some(leg) = leg else { break };
        path.extend(leg.steps);
        said = leg.then;
    }
    let is_cut = !machine.system().formulas.is_of_state(said.0);
    let run = through(machine, path.into_iter().map(|state| graph.state(state)));
    Explanation { branches: vec![Branch { parent: None, from: 0, run, reasons }], is_cut }
}

struct Shower<'a> {
    machine: &'a Machine,
    graph: &'a Graph,
    labels: &'a Labels<'a>,
}

impl Shower<'_> {
    /// Why the last formula has its value, of which no more is shown.
    fn last_grounds(&self, formula: FormulaId) -> Grounds {
        match self.machine.system().formulas.get(formula) {
            Formula::Unary(..) | Formula::Binary(..) => Grounds::AllRuns,
            _ => Grounds::Here,
        }
    }

    /// How a path goes on that shows why a formula has its value in a state, if one does.
    fn leg(&self, state: u32, (formula, truth): Said) -> Option<Leg> {
        use UnaryTemporal::{AllGlobally, AllNext, SomeFinally, SomeNext};
        let other = truth.opposite();
        let here = |then: Said| Some(Leg { steps: Vec::new(), then, grounds: Grounds::Here });
        match (self.machine.system().formulas.get(formula), truth) {
            (Formula::Not(a), _) => here((a, other)),
            (Formula::And(a, b), Truth::Fails) | (Formula::Or(a, b), Truth::Holds) => {
                here(self.either(state, [(a, truth), (b, truth)]))
            }
            (Formula::Implies(a, b), Truth::Holds) => here(self.either(state, [(a, other), (b, truth)])),
            (Formula::Unary(SomeNext, None, a), Truth::Holds) | (Formula::Unary(AllNext, None, a), Truth::Fails) => {
                self.step(state, (a, truth))
            }
            (Formula::Unary(SomeFinally, None, a), Truth::Holds)
            | (Formula::Unary(AllGlobally, None, a), Truth::Fails) => self.way(state, None, (a, truth)),
            (Formula::Binary(BinaryTemporal::SomeUntil, None, a, b), Truth::Holds) => {
                self.way(state, Some((a, truth)), (b, truth))
            }
            _ => None,
        }
    }

    /// The first of two that is so in a state; one of them is.
    fn either(&self, state: u32, [one, other]: [Said; 2]) -> Said {
        if self.labels.is_so(state, one) { one } else { other }
    }

    /// A step to a state with a fair run of which something is so.
    fn step(&self, state: u32, then: Said) -> Option<Leg> {
        let mut steps = self.graph.edges[state as usize].iter().map(|edge| edge.to);
        let to = steps.find(|to| self.labels.fair[*to as usize] && self.labels.is_so(*to, then))?;
        Some(Leg { steps: vec![to], then, grounds: Grounds::Run })
    }

    /// A shortest way to such a state, through states of which something else is so.
    fn way(&self, state: u32, through: Option<Said>, then: Said) -> Option<Leg> {
        let is_goal = |to: u32| self.labels.fair[to as usize] && self.labels.is_so(to, then);
        let is_on_way = |at: u32| through.is_none_or(|said| self.labels.is_so(at, said));
        let path = self.graph.path(state, is_on_way, is_goal)?;
        Some(Leg { steps: path[1..].to_vec(), then, grounds: Grounds::Run })
    }
}
