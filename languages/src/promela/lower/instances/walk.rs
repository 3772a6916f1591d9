//! Following init, as far as what it does is determined by itself.

use super::super::program::Program;
use super::known::Known;
use super::runs::{self, reaches, run_of};
use crate::promela::ast::{Expr, ExprRef, Kind, Root};
use crate::promela::flow::{Action, Choice, Edge, Entry, Point, Target};
use crate::promela::ids::ProctypeId;

/// How many steps of init are followed.
const LONGEST_WALK: usize = 20_000;

/// What init creates before anything else can interfere.
#[derive(Debug, Default)]
pub struct Walk {
    pub created: Vec<Created>,
    /// Init itself, if it may create more.
    pub rest: Option<ProctypeId>,
}

/// A process that init creates.
#[derive(Debug)]
pub struct Created {
    pub proctype: ProctypeId,
    /// The atomic section that it happens in.
    pub section: Option<u32>,
    /// The statement's expression with the `run`.
    pub by: ExprRef,
    /// For each argument that is an element of an array, which one, if that is known.
    pub elements: Vec<Option<u32>>,
}

/// Follows init.
pub fn follow_init(program: &Program<'_>) -> Walk {
    let Some(init) = program.ast.init() else { return Walk::default() };
    let mut walker = Walker { program, known: Known::at_start(program, init), section: None, sections: 0 };
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
    Walk { created, rest: still_runs.then_some(init) }
}

struct Walker<'p> {
    program: &'p Program<'p>,
    known: Known<'p>,
    /// The atomic section that init is in, and how many there were so far.
    section: Option<u32>,
    sections: u32,
}

impl<'p> Walker<'p> {
    /// Makes a step, and says what it creates.
    fn follow(&mut self, edge: &Edge) -> Option<Created> {
        if edge.keeps_control && self.section.is_none() {
            self.sections += 1;
            self.section = Some(self.sections);
        }
        let created = self.created(edge);
        if !edge.keeps_control {
            self.section = None;
        }
        match &edge.action {
            Action::Statement(Kind::Assign(place, value)) if place.index.is_none() && place.fields.is_empty() => {
                self.known.set(place.root, self.known.value(*value));
            }
            Action::Statement(Kind::Clear(local)) => self.known.set(Root::Local(*local), Some(0)),
            _ => {}
        }
        created
    }

    fn created(&self, edge: &Edge) -> Option<Created> {
        let (by, creation) = run_of(self.program, edge)?;
        let elements = creation.arguments.iter().map(|argument| self.element(*argument)).collect();
        Some(Created { proctype: self.program.created(creation)?, section: self.section, by, elements })
    }

    /// Which element of an array an expression is, if that is known.
    fn element(&self, expr: ExprRef) -> Option<u32> {
        let Expr::Variable(reference) = self.program.ast.expr(expr) else { return None };
        let index = reference.index.filter(|_| reference.fields.is_empty())?;
        self.known.value(index).and_then(|at| u32::try_from(at).ok())
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
                    if self.is_possible(edge, !possible.is_empty())? {
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
            if self.is_possible(edge, false)? {
                return Some(Some(edge));
            }
        }
        Some(None)
    }

    /// Whether a step is possible, if that is known; `others_are` says whether one that it is chosen from is.
    fn is_possible(&self, edge: &Edge, others_are: bool) -> Option<bool> {
        let Action::Statement(kind) = &edge.action else { return Some(true) };
        match kind {
            Kind::Else => Some(!others_are),
            Kind::Condition(expr) if self.program.ast.run_within(*expr).is_none() => {
                self.known.value(*expr).map(|value| value != 0)
            }
            Kind::Send(..) | Kind::Receive(..) => None,
            _ => Some(true),
        }
    }
}
