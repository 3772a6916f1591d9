//! Following init, as far as what it does is determined by itself.

use super::super::program::Program;
use super::known::Known;
use super::runs::{self, reaches, run_of};
use super::ways;
use crate::promela::ast::{Expr, ExprRef};
use crate::promela::flow::{Choice, Edge, Entry, Point, Target};
use crate::promela::ids::ProctypeId;

/// How many steps of init are followed.
pub const LONGEST_WALK: usize = 20_000;

/// What init creates before anything else can interfere.
#[derive(Debug, Default)]
pub struct Walk {
    pub created: Vec<Created>,
    /// Init itself, if it may create more.
    pub rest: Option<ProctypeId>,
}

/// A process that another one creates.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Created {
    pub proctype: ProctypeId,
    /// The atomic section that it happens in: how many processes were created when that began.
    pub section: Option<usize>,
    /// The statement's expression with the `run`.
    pub by: ExprRef,
    /// For each argument that is an element of an array, which one, if that is known.
    pub elements: Vec<Option<u32>>,
    /// The value of each argument, if it is known.
    pub arguments: Vec<Option<i64>>,
}

/// Follows init.
pub fn follow_init(program: &Program<'_>) -> Walk {
    let Some(init) = program.ast.init() else { return Walk::default() };
    let mut walker = Walker { program, known: Known::at_start(program, init), section: None, created: 0 };
    let mut created = Vec::new();
    let mut at = 0;
    for _ in 0..LONGEST_WALK {
        let Some(edge) = walker.only_step(&program.points(init)[at]) else { break };
        created.extend(walker.follow(edge));
        match edge.target {
            Target::Point(to) => at = to,
            Target::Gone => return Walk { created, rest: None },
        }
    }
    let still_runs = runs::runs(program, init).any(|run| reaches(program, init, at, run.from));
    if let Some(created) = ways::created_on_all(program, init).filter(|_| still_runs) {
        return Walk { created, rest: None };
    }
    Walk { created, rest: still_runs.then_some(init) }
}

struct Walker<'p> {
    program: &'p Program<'p>,
    known: Known<'p>,
    /// The atomic section that init is in: how many processes were created when it began.
    section: Option<usize>,
    /// How many processes were created so far.
    created: usize,
}

impl<'p> Walker<'p> {
    /// Makes a step, and says what it creates.
    fn follow(&mut self, edge: &Edge) -> Option<Created> {
        if edge.keeps_control {
            self.section = self.section.or(Some(self.created));
        }
        let created = creation(self.program, &self.known, edge, self.section);
        self.created += usize::from(created.is_some());
        if !edge.keeps_control {
            self.section = None;
        }
        self.known.follow(edge);
        created
    }

    /// The step that init is sure to make next.
    fn only_step(&self, point: &'p Point) -> Option<&'p Edge> {
        if !point.escapes.is_empty() {
            return None;
        }
        let mut possible: Vec<&Edge> = Vec::new();
        for choice in &point.choices {
            match choice {
                Choice::Free(edge) => {
                    if self.known.allows_beside(edge, !possible.is_empty())? {
                        possible.push(edge);
                    }
                }
                Choice::First(Entry::Possible, edges) => possible.extend(self.first(edges)?),
                Choice::First(..) => return None,
            }
        }
        let [only] = possible[..] else { return None };
        Some(only)
    }

    /// The first of some steps that is possible, if that is known.
    fn first(&self, edges: &'p [Edge]) -> Option<Option<&'p Edge>> {
        for edge in edges {
            if self.known.allows(edge)? {
                return Some(Some(edge));
            }
        }
        Some(None)
    }
}

/// What a step creates, if it has a `run`.
pub fn creation(program: &Program<'_>, known: &Known<'_>, edge: &Edge, section: Option<usize>) -> Option<Created> {
    let (by, creation) = run_of(program, edge)?;
    let elements = creation.arguments.iter().map(|argument| element(program, known, *argument)).collect();
    let arguments = creation.arguments.iter().map(|argument| known.value(*argument)).collect();
    Some(Created { proctype: program.created(creation)?, section, by, elements, arguments })
}

/// Which element of an array an expression is, if that is known.
fn element(program: &Program<'_>, known: &Known<'_>, expr: ExprRef) -> Option<u32> {
    let Expr::Variable(reference) = program.ast.expr(expr) else { return None };
    let index = reference.index.filter(|_| reference.fields.is_empty())?;
    known.value(index).and_then(|at| u32::try_from(at).ok())
}
