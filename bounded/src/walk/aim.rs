//! What a walk aims at: conditions that together violate an invariant.
//!
//! An invariant with many processes can mostly be violated in many ways, each of which asks something of a few processes, or
//! of all of them at once. A walk that aims draws one of the ways and holds on to what it has reached: a step that undoes a
//! condition is made only now and then, or where nothing else can be done. So processes wait where they are wanted until the
//! others are there, which no blind choice does for long. Where numbers are compared, it also counts how far they are from what is wanted.

use super::before::Writers;
use fastrand::Rng;
use rustc_hash::FxHashMap;
use system::{
    Binary, Claim, ExprId, Exprs, Footprint, Machine, Node, PointId, Predicate, ProcessId, PropertyId, Sort, Unary,
    Workspace,
};

/// The most conditions that are aimed at.
const MOST: usize = 256;

/// With how many percent a condition is given up, in one walk or another.
const GIVES_UP: [u32; 3] = [1, 5, 20];

/// How far two numbers are from each other at most.
const FARTHEST: u64 = 64;

/// How many steps back it is looked what has to be so before, in one way or another.
const DEPTHS: [usize; 6] = [0, 0, 0, 1, 2, 3];

/// A condition and the value that it is to have.
pub(super) type Condition = (ExprId, bool);

/// What is to be so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A condition has a value.
    Has(ExprId, bool),
    /// A process is at a control point.
    At(ProcessId, PointId),
}

/// What is to be so, and what has to be so before that.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wanted {
    pub goal: Goal,
    /// Counts as long as the goal is not there.
    pub before: Vec<Wanted>,
}

/// How many goals there are.
fn count(wanted: &[Wanted]) -> usize {
    wanted.iter().map(|wanted| 1 + count(&wanted.before)).sum()
}

/// How far a state is from what is aimed at. Numbers that are nearer do not make up for a condition that is lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Distance {
    /// How many conditions are not there yet.
    missed: usize,
    /// By how much they are missed: one each, and more where numbers are compared.
    gap: u64,
}

impl Distance {
    #[cfg(test)]
    pub fn of(missed: usize) -> Distance {
        Distance { missed, gap: missed as u64 }
    }
}

/// By what a walk decides whether it has lost something.
#[derive(Clone, Copy)]
enum Measure {
    Missed,
    Distance,
}

/// What one walk aims at.
pub(super) struct Aim {
    wanted: Vec<Wanted>,
    gives_up: u32,
    measure: Measure,
    pub distance: Distance,
}

impl Aim {
    /// How many conditions a look at the distance evaluates.
    pub fn conditions(&self) -> u64 {
        count(&self.wanted) as u64
    }
}

/// A condition, ready for evaluation.
enum Ready {
    /// It is true or false.
    Simple(Predicate),
    /// Two numbers are compared.
    Compared(Binary, [Predicate; 2]),
}

impl Ready {
    fn new(machine: &Machine, condition: ExprId) -> Ready {
        let exprs = &machine.system().exprs;
        let is_number = |expr: ExprId| matches!(exprs.sort(expr), Sort::Integer { .. });
        match *exprs.node(condition) {
            Node::Binary(by @ (Binary::Equal | Binary::Less | Binary::LessEqual), a, b)
                if is_number(a) && is_number(b) =>
            {
                Ready::Compared(by, [a, b].map(|side| machine.predicate(side)))
            }
            _ => Ready::Simple(machine.predicate(condition)),
        }
    }

    /// By how much a state misses a value of the condition: not at all, or by one or more. A condition that has no value is missed.
    fn gap(&self, value: bool, machine: &Machine, state: &[u64], workspace: &mut Workspace) -> u64 {
        match self {
            Ready::Simple(condition) => u64::from(machine.satisfies(condition, state, workspace) != Ok(value)),
            Ready::Compared(by, [a, b]) => {
                let (a, b) = (machine.number(a, state, workspace), machine.number(b, state, workspace));
                let (Ok(a), Ok(b)) = (a, b) else { return FARTHEST };
                gap(*by, value, i128::from(a), i128::from(b)).try_into().map_or(FARTHEST, |gap: u64| gap.min(FARTHEST))
            }
        }
    }
}

/// By how much a comparison of two numbers misses a value.
fn gap(by: Binary, value: bool, a: i128, b: i128) -> i128 {
    match (by, value) {
        (Binary::Equal, true) => (a - b).abs(),
        (Binary::Equal, false) => i128::from(a == b),
        (Binary::Less, true) => (a - b + 1).max(0),
        (Binary::Less, false) => (b - a).max(0),
        (_, true) => (a - b).max(0),
        (_, false) => (b - a + 1).max(0),
    }
}

/// The conditions that walks have aimed at, ready for evaluation, and who writes what they read.
pub(super) struct Conditions {
    ready: FxHashMap<ExprId, Ready>,
    writers: Writers,
}

impl Conditions {
    /// None so far. Of each variable it is told whether a command or a relation says what becomes of it.
    pub fn new(machine: &Machine, is_told: &[bool]) -> Conditions {
        Conditions { ready: FxHashMap::default(), writers: Writers::of(machine.system(), is_told) }
    }

    /// Draws a way to violate an invariant; nothing if states alone do not show one.
    pub fn way(&mut self, machine: &Machine, property: PropertyId, random: &mut Rng) -> Vec<Wanted> {
        let system = machine.system();
        let Claim::Invariant(expr) = system.properties[property].claim else { return Vec::new() };
        let mut wanted = way_to(&system.exprs, (expr, false), random);
        // Of a step that is wrong, what is to be so in the state before it.
        wanted.retain(|(condition, _)| !Footprint::of(&system.exprs, &[*condition]).has_step(system));
        let goals = wanted.into_iter().map(|(condition, value)| Goal::Has(condition, value)).collect();
        let (depth, mut room) = (DEPTHS[random.usize(..DEPTHS.len())], MOST);
        self.wanted(machine, goals, depth, &mut room, random)
    }

    /// Goals with what has to be so before them, as far back as is said and as long as there is room.
    fn wanted(
        &mut self,
        machine: &Machine,
        goals: Vec<Goal>,
        depth: usize,
        room: &mut usize,
        random: &mut Rng,
    ) -> Vec<Wanted> {
        let mut found: Vec<Wanted> = Vec::new();
        for goal in goals.into_iter().take(*room) {
            if let Goal::Has(condition, _) = goal {
                self.ready.entry(condition).or_insert_with(|| Ready::new(machine, condition));
            }
            found.push(Wanted { goal, before: Vec::new() });
        }
        *room -= found.len();
        if depth > 0 {
            for wanted in &mut found {
                let before = self.writers.before(machine.system(), wanted.goal, random).unwrap_or_default();
                wanted.before = self.wanted(machine, before, depth - 1, room, random);
            }
        }
        found
    }

    /// Aims at these conditions, from a state on.
    pub fn aim(
        &self,
        wanted: &[Wanted],
        machine: &Machine,
        state: &[u64],
        workspace: &mut Workspace,
        random: &mut Rng,
    ) -> Aim {
        let gives_up = GIVES_UP[random.usize(..GIVES_UP.len())];
        let measure = if random.bool() { Measure::Missed } else { Measure::Distance };
        let distance = self.distance(wanted, machine, state, workspace);
        Aim { wanted: wanted.to_vec(), gives_up, measure, distance }
    }

    /// Whether a walk makes the step to a state; if it does, it is there now.
    pub fn accepts(
        &self,
        aim: &mut Aim,
        machine: &Machine,
        state: &[u64],
        workspace: &mut Workspace,
        random: &mut Rng,
    ) -> bool {
        let (before, after) = (aim.distance, self.distance(&aim.wanted, machine, state, workspace));
        let loses = match aim.measure {
            Measure::Missed => after.missed > before.missed,
            Measure::Distance => after > before,
        };
        let accepts = !loses || random.u32(..100) < aim.gives_up;
        if accepts {
            aim.distance = after;
        }
        accepts
    }

    /// Follows a walk that had no other choice.
    pub fn follow(&self, aim: &mut Aim, machine: &Machine, state: &[u64], workspace: &mut Workspace) {
        aim.distance = self.distance(&aim.wanted, machine, state, workspace);
    }

    /// How far a state is from what is wanted.
    fn distance(&self, wanted: &[Wanted], machine: &Machine, state: &[u64], workspace: &mut Workspace) -> Distance {
        let (mut distance, mut open) = (Distance { missed: 0, gap: 0 }, vec![wanted]);
        while let Some(wanted) = open.pop() {
            for Wanted { goal, before } in wanted {
                let gap = self.gap(*goal, machine, state, workspace);
                if gap > 0 {
                    distance.missed += 1;
                    distance.gap += gap;
                    open.push(before);
                }
            }
        }
        distance
    }

    fn gap(&self, goal: Goal, machine: &Machine, state: &[u64], workspace: &mut Workspace) -> u64 {
        match goal {
            Goal::At(process, point) => u64::from(machine.point_in(process, state) != Some(point)),
            Goal::Has(condition, value) => {
                self.ready.get(&condition).map_or(1, |ready| ready.gap(value, machine, state, workspace))
            }
        }
    }
}

/// Conditions that are enough for an expression to have a value, drawn at random where there are several ways.
pub(super) fn way_to(exprs: &Exprs, goal: Condition, random: &mut Rng) -> Vec<Condition> {
    let (mut open, mut found) = (vec![goal], Vec::new());
    while let Some((expr, value)) = open.pop() {
        match *exprs.node(expr) {
            _ if found.len() >= MOST => break,
            Node::Constant(_) => {}
            Node::Unary(Unary::Not, operand) => open.push((operand, !value)),
            Node::Binary(operator @ (Binary::And | Binary::Or), ..) => {
                let operands = operands(exprs, operator, expr);
                // A conjunction is true if all of it is, a disjunction is false if all of it is.
                if value == (operator == Binary::And) {
                    open.extend(operands.into_iter().map(|operand| (operand, value)));
                } else {
                    open.push((operands[random.usize(..operands.len())], value));
                }
            }
            Node::Ite(condition, then, otherwise) => {
                let ways = [(true, then), (false, otherwise)];
                let open_ways: Vec<(bool, ExprId)> =
                    ways.into_iter().filter(|(_, branch)| can_be(exprs, *branch, value)).collect();
                if !open_ways.is_empty() {
                    let (holds, branch) = open_ways[random.usize(..open_ways.len())];
                    open.extend([(branch, value), (condition, holds)]);
                }
            }
            Node::Binary(by @ (Binary::Equal | Binary::Less | Binary::LessEqual), a, b) if random.bool() => {
                match Count::of(exprs, by, a, b) {
                    Some(count) => open.extend(count.way(value, random)),
                    None => found.push((expr, value)),
                }
            }
            _ => found.push((expr, value)),
        }
    }
    found
}

/// A comparison of a constant with how many of some conditions hold: who is in a critical section, or has voted.
struct Count {
    conditions: Vec<Condition>,
    /// Of each number of conditions that hold, whether the comparison does.
    holds: Vec<bool>,
}

impl Count {
    fn of(exprs: &Exprs, by: Binary, a: ExprId, b: ExprId) -> Option<Count> {
        let (is_left, constant, sum) = match (exprs.node(a), exprs.node(b)) {
            (Node::Constant(constant), _) => (true, i128::from(*constant), b),
            (_, Node::Constant(constant)) => (false, i128::from(*constant), a),
            _ => return None,
        };
        let (mut conditions, mut always) = (Vec::new(), 0);
        for summand in operands(exprs, Binary::Add, sum) {
            match *exprs.node(summand) {
                Node::Constant(number) => always += i128::from(number),
                Node::Unary(Unary::BooleanToInteger, condition) => conditions.push((condition, true)),
                Node::Ite(condition, one, other) => match (exprs.node(one), exprs.node(other)) {
                    (Node::Constant(1), Node::Constant(0)) => conditions.push((condition, true)),
                    (Node::Constant(0), Node::Constant(1)) => conditions.push((condition, false)),
                    _ => return None,
                },
                _ => return None,
            }
        }
        let holds = (0..=conditions.len() as i128).map(|count| match is_left {
            true => gap(by, true, constant, always + count) == 0,
            false => gap(by, true, always + count, constant) == 0,
        });
        let holds = holds.collect();
        (conditions.len() > 1).then_some(Count { conditions, holds })
    }

    /// Which conditions are to hold, or not to hold, so that the comparison has a value: no more of them than is needed, neighbours or any.
    fn way(mut self, value: bool, random: &mut Rng) -> Vec<Condition> {
        let enough = |count: &usize| self.holds[*count] == value;
        let (least, most) = ((0..self.holds.len()).find(enough), (0..self.holds.len()).rev().find(enough));
        let (Some(least), Some(most)) = (least, most) else { return Vec::new() };
        let all = self.conditions.len();
        match random.bool() {
            true => random.shuffle(&mut self.conditions),
            false => self.conditions.rotate_left(random.usize(..all)),
        }
        match least {
            0 => self.conditions.into_iter().take(all - most).map(|(condition, holds)| (condition, !holds)).collect(),
            _ => self.conditions.into_iter().take(least).collect(),
        }
    }
}

/// Whether an expression may have a value: a constant has its own.
fn can_be(exprs: &Exprs, expr: ExprId, value: bool) -> bool {
    !matches!(*exprs.node(expr), Node::Constant(own) if (own != 0) != value)
}

/// The operands of a chain of equal operators.
fn operands(exprs: &Exprs, operator: Binary, root: ExprId) -> Vec<ExprId> {
    let (mut open, mut found) = (vec![root], Vec::new());
    while let Some(id) = open.pop() {
        match *exprs.node(id) {
            Node::Binary(same, a, b) if same == operator => open.extend([b, a]),
            _ => found.push(id),
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use system::VarId;

    /// What a program asserts inside of an atomic section is a choice between an assertion and the truth.
    #[test]
    fn a_choice_is_violated_by_the_branch_that_can_be_violated() {
        let mut exprs = Exprs::default();
        let [condition, wanted] = [0, 1].map(|var| exprs.now(VarId::new(var), Sort::Boolean));
        let truth = exprs.boolean(true);
        let choice = exprs.ite(condition, truth, wanted);
        let mut random = Rng::with_seed(1);
        for _ in 0..20 {
            let mut way = way_to(&exprs, (choice, false), &mut random);
            way.sort_unstable();
            assert_eq!(way, [(condition, false), (wanted, false)]);
        }
    }

    /// That at most one of five conditions holds is violated by two of them, that at least four do by two that do not.
    #[test]
    fn a_count_is_violated_by_as_many_conditions_as_are_needed() {
        let mut exprs = Exprs::default();
        let conditions: Vec<ExprId> = (0..5).map(|var| exprs.now(VarId::new(var), Sort::Boolean)).collect();
        let ones: Vec<ExprId> =
            conditions.iter().map(|condition| exprs.unary(Unary::BooleanToInteger, *condition)).collect();
        let sum = ones.into_iter().reduce(|sum, one| exprs.binary(Binary::Add, sum, one)).expect("some");
        let [one, four] = [1, 4].map(|number| exprs.integer(number));
        let most = exprs.binary(Binary::LessEqual, sum, one);
        let least = exprs.binary(Binary::LessEqual, four, sum);
        let mut random = Rng::with_seed(1);
        for (count, expected) in [(most, true), (least, false)] {
            let ways: Vec<Vec<Condition>> = (0..100)
                .map(|_| way_to(&exprs, (count, false), &mut random))
                .filter(|way| *way != [(count, false)])
                .collect();
            assert!((20..80).contains(&ways.len()), "the count itself is aimed at, too");
            assert!(
                ways.iter().all(|way| way.len() == 2 && way.iter().all(|(_, value)| *value == expected)),
                "{ways:?}"
            );
            let met: BTreeSet<ExprId> = ways.iter().flatten().map(|(condition, _)| *condition).collect();
            assert_eq!(met.len(), 5);
        }
    }

    #[test]
    fn a_gap_is_closed_where_the_comparison_has_the_value() {
        for by in [Binary::Equal, Binary::Less, Binary::LessEqual] {
            for (a, b) in (-3..4).flat_map(|a| (-3..4).map(move |b| (a, b))) {
                let holds = match by {
                    Binary::Equal => a == b,
                    Binary::Less => a < b,
                    _ => a <= b,
                };
                for value in [false, true] {
                    assert_eq!(gap(by, value, a, b) == 0, holds == value, "{by:?} {value} {a} {b}");
                }
            }
        }
        assert_eq!(
            [gap(Binary::Equal, true, 2, 9), gap(Binary::Less, true, 9, 2), gap(Binary::LessEqual, false, 2, 9)],
            [7, 8, 8]
        );
    }
}
