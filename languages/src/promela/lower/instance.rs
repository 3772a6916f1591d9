//! Instances: which proctypes can run at which pids.
//!
//! Active proctypes and init have their pids from the beginning. What init runs before anything else can interfere is
//! found by following it; for what is left, a process that runs at most once for each process that runs it is counted,
//! and where even that does not end, there is some room, and a run that needs more reaches a limit.

use super::super::ast::{Creation, Expr, ExprRef, Kind, Name, Root};
use super::super::codes;
use super::super::flow::{Action, Choice, Edge, Entry, Target};
use super::super::room::{MOST, Room};
use super::Lowering;
use super::storage::Storage;
use crate::diagnostic::Diagnostic;
use crate::suggest::did_you_mean;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::ops::{Range, RangeInclusive};
use system::{ProcessId, VarId};

/// How many steps of init are followed.
const LONGEST_WALK: usize = 20_000;

/// A process of the system: a proctype at a pid.
#[derive(Clone, Debug)]
pub struct Instance {
    pub pid: u32,
    pub proctype: usize,
    /// Whether it runs from the beginning.
    pub starts: bool,
    pub name: String,
    pub process: ProcessId,
    pub pc: VarId,
    /// `_priority`, if the model has priorities.
    pub priority: Option<VarId>,
    pub locals: Vec<Storage>,
    /// The channels that it creates.
    pub channels: Range<usize>,
}

/// A process that init is sure to create.
#[derive(Clone, Debug)]
pub struct Creature {
    /// The statement's expression with the `run`.
    by: ExprRef,
    pids: RangeInclusive<u32>,
    /// For each argument that is an element of an array, which one, if that is known.
    elements: Vec<Option<u32>>,
}

/// A process that a `run` can create.
pub struct Child<'a> {
    pub instance: usize,
    /// The argument in a place, if it is a known element of an array.
    elements: &'a [Option<u32>],
}

impl Child<'_> {
    /// Which element of an array an argument is, if that is known.
    pub fn element(&self, argument: usize) -> Option<u32> {
        self.elements.get(argument).copied().flatten()
    }
}

impl Lowering<'_> {
    /// Finds the instances.
    pub(super) fn infer_instances(&mut self) -> Option<()> {
        let ast = self.ast;
        let mut places: BTreeSet<(u32, usize)> = BTreeSet::new();
        let mut pid = 0;
        for (number, proctype) in ast.proctypes.iter().enumerate() {
            for _ in 0..proctype.active {
                places.insert((pid, number));
                pid += 1;
            }
        }
        if pid == 0 {
            let span = ast.proctypes.first().map(|proctype| proctype.span).unwrap_or_default();
            return self.error(codes::NO_PROCESS, span, "no process runs: there is no init and no active proctype");
        }
        let started = pid;
        let starting = places.clone();
        self.check_runs()?;
        self.creatures = self.creatures(started);
        if self.creatures.is_empty() {
            places.extend(self.created(started));
        }
        for Creature { by, pids, .. } in &self.creatures {
            let Some(Creation { name, .. }) = self.find_run(*by) else { continue };
            let proctype = ast.proctypes.iter().position(|proctype| proctype.name == name);
            places.extend(pids.clone().filter_map(|pid| Some((pid, proctype?))));
        }
        if started > MOST {
            let span = ast.proctypes[0].span;
            return self.error(codes::PROCESSES, span, "more than 255 processes are active, the most that SPIN has");
        }
        // What init creates beyond the limit is found out when the model runs.
        places.retain(|(pid, _)| *pid < MOST);
        for (pid, proctype) in places {
            let plain = ast.proctypes[proctype].name.trim_matches(':');
            self.instances.push(Instance {
                pid,
                proctype,
                starts: starting.contains(&(pid, proctype)),
                name: format!("{plain}_{pid}"),
                process: ProcessId::from(self.instances.len()),
                pc: VarId::new(0),
                priority: None,
                locals: Vec::new(),
                channels: 0..0,
            });
        }
        Some(())
    }

    /// Every run names a proctype and has the right number of arguments.
    fn check_runs(&mut self) -> Option<()> {
        let ast = self.ast;
        for number in 0..ast.proctypes.len() {
            for (name, arguments, span) in self.runs(number) {
                let Some(proctype) = ast.proctypes.iter().find(|proctype| proctype.name == name) else {
                    let mut diagnostic =
                        Diagnostic::error(codes::UNDEFINED, span, format!("there is no proctype {name}"));
                    let known = ast.proctypes.iter().map(|proctype| &*proctype.name);
                    diagnostic.help = did_you_mean(&name, known.filter(|known| !known.starts_with(':')));
                    self.diagnostics.push(diagnostic);
                    return None;
                };
                let (wanted, given) = (proctype.parameters, arguments);
                if wanted != given {
                    let message = format!("{name} has {wanted} parameters, but here are {given} arguments");
                    return self.error(codes::ARGUMENT_COUNT, span, message);
                }
            }
        }
        Some(())
    }

    /// The runs of a proctype: whom they create, and with how many arguments.
    fn runs(&self, proctype: usize) -> Vec<(Name, usize, system::Span)> {
        let mut found = Vec::new();
        for point in &self.automata[proctype].points {
            for edge in point.edges() {
                if let Some(Creation { name, arguments, .. }) = self.run_of(edge) {
                    found.push((name, arguments.len(), edge.span));
                }
            }
        }
        found
    }

    fn run_of(&self, edge: &Edge) -> Option<Creation> {
        self.run_at(edge).map(|(_, creation)| creation)
    }

    /// The `run` of a statement, with the statement's expression.
    fn run_at(&self, edge: &Edge) -> Option<(ExprRef, Creation)> {
        match &edge.action {
            Action::Statement(Kind::Assign(_, value) | Kind::Condition(value)) => {
                self.find_run(*value).map(|creation| (*value, creation))
            }
            _ => None,
        }
    }

    /// Which element of an array an expression is, if that is known.
    fn element(&self, expr: ExprRef, known: &Known) -> Option<u32> {
        let Expr::Variable(reference) = self.ast.expr(expr) else { return None };
        let index = reference.index.filter(|_| reference.fields.is_empty())?;
        known.value(index, self).and_then(|at| u32::try_from(at).ok())
    }

    /// The `run` inside an expression.
    pub(super) fn find_run(&self, expr: ExprRef) -> Option<Creation> {
        self.ast.within(expr).find_map(|part| match part {
            Expr::Run(creation) => Some(creation.clone()),
            _ => None,
        })
    }

    /// The processes that a `run` of another process can create.
    pub(super) fn children(&self, creator: usize, by: ExprRef, proctype: usize) -> Vec<Child<'_>> {
        let pid = self.instances[creator].pid;
        let is_child = |instance: &Instance| instance.proctype == proctype && instance.pid > pid;
        let possible = (0..self.instances.len()).filter(|index| is_child(&self.instances[*index]));
        let known: Vec<&Creature> = self.creatures.iter().filter(|creature| creature.by == by).collect();
        if known.is_empty() {
            return possible.map(|instance| Child { instance, elements: &[] }).collect();
        }
        let of_instance = |instance: usize| {
            let here = known.iter().filter(move |creature| creature.pids.contains(&self.instances[instance].pid));
            here.map(move |creature| Child { instance, elements: &creature.elements })
        };
        possible.flat_map(of_instance).collect()
    }

    /// What init creates, if nothing else is created.
    fn creatures(&self, started: u32) -> Vec<Creature> {
        let walk = self.walk_init();
        let others_run = (0..self.ast.proctypes.len())
            .any(|number| &*self.ast.proctypes[number].name != ":init:" && !self.runs(number).is_empty());
        if walk.complete && !others_run { self.place_walk(walk, started) } else { Vec::new() }
    }

    /// The places of processes that are created while the model runs.
    fn created(&mut self, started: u32) -> BTreeSet<(u32, usize)> {
        let walk = self.walk_init();
        let mut places = BTreeSet::new();
        let types: BTreeSet<usize> = (0..self.ast.proctypes.len())
            .flat_map(|number| self.runs(number))
            .filter_map(|(name, ..)| self.ast.proctypes.iter().position(|proctype| proctype.name == name))
            .collect();
        let bound = match self.bound(&walk) {
            Some(bound) => bound,
            None => {
                let spare = self.room.spare(types.len());
                let bound = spare + walk.created.len() as u32;
                self.room = if started + bound < MOST { Room::Spare(spare) } else { Room::Most };
                bound
            }
        };
        let lowest = self.lowest_creator() + 1;
        for pid in lowest..(started + bound).min(MOST) {
            places.extend(types.iter().map(|proctype| (pid, *proctype)));
        }
        // A pid below the number of started processes is free only after the processes from there on have died.
        places.retain(|(pid, _)| *pid >= started || self.can_die_from(*pid, started));
        places
    }

    /// The least pid of a process that runs others.
    fn lowest_creator(&self) -> u32 {
        let mut pid = 0;
        let mut least = MOST;
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            if proctype.active > 0 && !self.runs(number).is_empty() {
                least = least.min(pid);
            }
            pid += proctype.active;
        }
        least
    }

    /// Whether every started process from a pid on can come to its end.
    fn can_die_from(&self, from: u32, started: u32) -> bool {
        (from..started).all(|pid| self.started_type(pid).is_some_and(|proctype| self.is_mortal(proctype)))
    }

    fn started_type(&self, pid: u32) -> Option<usize> {
        let mut first = 0;
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            if pid < first + proctype.active {
                return Some(number);
            }
            first += proctype.active;
        }
        None
    }

    fn is_mortal(&self, proctype: usize) -> bool {
        let points = &self.automata[proctype].points;
        points.iter().any(|point| point.edges().any(|edge| matches!(edge.action, Action::Die)))
    }

    /// Places what init runs: the pid of each is known as far as the processes before it cannot have died.
    fn place_walk(&self, walk: Walk, started: u32) -> Vec<Creature> {
        let init = self.ast.proctypes.iter().position(|proctype| &*proctype.name == ":init:");
        let mut init_pid = 0;
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            if Some(number) == init {
                break;
            }
            init_pid += proctype.active;
        }
        // What started and is sure to live while init goes on keeps its place.
        let lives =
            |pid: &u32| *pid <= init_pid || self.started_type(*pid).is_some_and(|number| !self.is_mortal(number));
        let base = (0..started).rev().find(lives).map_or(0, |last| last + 1);
        // A process of a higher priority interrupts an atomic section.
        let is_interrupted = self.ast.priorities.is_some();
        let mut lows: Vec<u32> = Vec::new();
        for (order, created) in walk.created.iter().enumerate() {
            let earlier = walk.created[..order].iter().zip(&lows);
            let sure = earlier.filter(|(other, _)| {
                let same_section = other.section != 0 && other.section == created.section;
                same_section && !is_interrupted || !self.is_mortal(other.proctype)
            });
            let low = sure.map(|(_, low)| low + 1).max().unwrap_or(0).max(base);
            lows.push(low);
        }
        let placed = walk.created.into_iter().zip(lows).enumerate();
        let place = |(order, (Created { by, elements, .. }, low))| {
            let pids = low..=started + order as u32;
            Creature { by, pids, elements }
        };
        placed.map(place).collect()
    }

    /// How many processes can be created at most, if that can be told.
    fn bound(&self, walk: &Walk) -> Option<u32> {
        let count = self.ast.proctypes.len();
        let mut total: u64 = walk.created.len() as u64;
        // The instances whose own runs are still to be counted.
        let mut open: Vec<(usize, u64)> = Vec::new();
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            if proctype.active > 0 && &*proctype.name != ":init:" {
                open.push((number, proctype.active.into()));
            }
        }
        let mut counts: FxHashMap<usize, u64> = FxHashMap::default();
        walk.created.iter().for_each(|created| *counts.entry(created.proctype).or_default() += 1);
        open.extend(counts);
        if let Some(rest) = walk.rest {
            open.push((rest, 1));
        }
        let mut rounds = 0;
        while let Some((number, instances)) = open.pop() {
            rounds += 1;
            if rounds > count * count + 100 {
                return None;
            }
            for (child, once) in self.run_sites(number) {
                if !once {
                    return None;
                }
                total += instances;
                open.push((child, instances));
            }
            if total > u64::from(MOST) {
                return None;
            }
        }
        Some(total as u32)
    }

    /// The runs of a proctype, and whether each happens at most once in a process.
    fn run_sites(&self, proctype: usize) -> Vec<(usize, bool)> {
        let points = &self.automata[proctype].points;
        let mut sites = Vec::new();
        for (from, point) in points.iter().enumerate() {
            for edge in point.edges() {
                let Some(Creation { name, .. }) = self.run_of(edge) else { continue };
                let Some(child) = self.ast.proctypes.iter().position(|proctype| proctype.name == name) else {
                    continue;
                };
                let comes_back = match edge.target {
                    Target::Point(to) => self.reaches(proctype, to, from),
                    Target::Gone => false,
                };
                sites.push((child, !comes_back));
            }
        }
        sites
    }

    fn reaches(&self, proctype: usize, from: usize, to: usize) -> bool {
        let points = &self.automata[proctype].points;
        let mut seen = vec![false; points.len()];
        let mut open = vec![from];
        while let Some(point) = open.pop() {
            if point == to {
                return true;
            }
            if !std::mem::replace(&mut seen[point], true) {
                open.extend(points[point].edges().filter_map(|edge| match edge.target {
                    Target::Point(next) => Some(next),
                    Target::Gone => None,
                }));
            }
        }
        false
    }

    /// Follows init as far as what it does is determined by itself.
    fn walk_init(&self) -> Walk {
        let ast = self.ast;
        let mut walk = Walk { created: Vec::new(), complete: true, rest: None };
        let Some(init) = ast.proctypes.iter().position(|proctype| &*proctype.name == ":init:") else { return walk };
        let mut known = self.known_at_start(init);
        let (mut at, mut section, mut sections) = (0, 0, 0);
        for _ in 0..LONGEST_WALK {
            let point = &self.automata[init].points[at];
            let Some(edge) = self.only_step(point, &known) else { break };
            if let Some((by, Creation { name, arguments, .. })) = self.run_at(edge)
                && let Some(proctype) = ast.proctypes.iter().position(|proctype| proctype.name == name)
            {
                if edge.keeps_control && section == 0 {
                    sections += 1;
                    section = sections;
                }
                let elements = arguments.iter().map(|argument| self.element(*argument, &known)).collect();
                walk.created.push(Created { proctype, section, by, elements });
            }
            if edge.keeps_control && section == 0 {
                sections += 1;
                section = sections;
            } else if !edge.keeps_control {
                section = 0;
            }
            if let Action::Statement(kind) = &edge.action {
                self.follow(kind, &mut known);
            }
            match edge.target {
                Target::Point(to) => at = to,
                Target::Gone => return walk,
            }
        }
        let still_runs = (self.automata[init].points.iter().enumerate()).any(|(number, point)| {
            point.edges().any(|edge| self.run_of(edge).is_some()) && self.reaches(init, at, number)
        });
        if still_runs {
            walk.complete = false;
            walk.rest = Some(init);
        }
        walk
    }

    /// The scalar variables that only init writes, with what they begin with.
    fn known_at_start(&self, init: usize) -> Known {
        let mut known = Known::default();
        let written_by_others = self.written_by_others(init);
        for (number, declaration) in self.ast.globals.iter().enumerate() {
            if declaration.length.is_none() && !written_by_others.contains(&number) {
                known.begin(Root::Global(number), &declaration.initial, self);
            }
        }
        for (number, declaration) in self.ast.proctypes[init].locals.iter().enumerate() {
            if declaration.length.is_none() {
                known.begin(Root::Local(number), &declaration.initial, self);
            }
        }
        known
    }

    fn written_by_others(&self, init: usize) -> BTreeSet<usize> {
        let mut written = BTreeSet::new();
        for (number, proctype) in self.ast.proctypes.iter().enumerate() {
            if number == init {
                continue;
            }
            let mut note = |root: Root| {
                if let Root::Global(global) = root {
                    written.insert(global);
                }
            };
            for statement in proctype.statements() {
                match &statement.kind {
                    Kind::Assign(place, _) => note(place.root),
                    Kind::Receive(_, _, _, patterns) => patterns.iter().for_each(|pattern| {
                        if let super::super::ast::Pattern::Store(place) = pattern {
                            note(place.root);
                        }
                    }),
                    _ => {}
                }
            }
        }
        written
    }

    /// The step that init is sure to make next.
    fn only_step<'p>(&self, point: &'p super::super::flow::Point, known: &Known) -> Option<&'p Edge> {
        if !point.escapes.is_empty() {
            return None;
        }
        let mut possible: Vec<&Edge> = Vec::new();
        for choice in &point.choices {
            let edges = match choice {
                Choice::Free(edge) => std::slice::from_ref(edge),
                Choice::First(Entry::Possible, edges) => edges.as_slice(),
                Choice::First(..) => return None,
            };
            let (before, in_order) = (possible.len(), matches!(choice, Choice::First(..)));
            for edge in edges {
                if in_order && possible.len() > before {
                    break;
                }
                let Action::Statement(kind) = &edge.action else {
                    possible.push(edge);
                    continue;
                };
                match kind {
                    Kind::Else if !in_order && !possible.is_empty() => {}
                    Kind::Condition(expr) if self.find_run(*expr).is_none() => {
                        if known.value(*expr, self)? != 0 {
                            possible.push(edge);
                        }
                    }
                    Kind::Send(..) | Kind::Receive(..) => return None,
                    _ => possible.push(edge),
                }
            }
        }
        let [only] = possible[..] else { return None };
        Some(only)
    }

    fn follow(&self, kind: &Kind, known: &mut Known) {
        match kind {
            Kind::Assign(place, value) if place.index.is_none() && place.fields.is_empty() => {
                let value = known.value(*value, self);
                known.set(place.root, value, self);
            }
            Kind::Clear(local) => known.set(Root::Local(*local), Some(0), self),
            _ => {}
        }
    }
}

/// What init creates before anything else can interfere.
struct Walk {
    created: Vec<Created>,
    /// Whether init creates nothing else.
    complete: bool,
    /// Init itself, if it may create more.
    rest: Option<usize>,
}

struct Created {
    proctype: usize,
    /// The atomic section that it happens in; 0 for none.
    section: u32,
    /// The statement's expression with the `run`.
    by: ExprRef,
    /// For each argument that is an element of an array, which one, if that is known.
    elements: Vec<Option<u32>>,
}

/// Variables whose value is known.
#[derive(Default)]
struct Known {
    values: Vec<(Root, i64)>,
    tracked: Vec<Root>,
}

impl Known {
    fn begin(&mut self, root: Root, initial: &super::super::ast::Initial, lowering: &Lowering<'_>) {
        use super::super::ast::Initial;
        self.tracked.push(root);
        let value = match initial {
            Initial::Zero => Some(0),
            Initial::Value(value) => self.value(*value, lowering),
            _ => None,
        };
        self.set(root, value, lowering);
    }

    fn set(&mut self, root: Root, value: Option<i64>, lowering: &Lowering<'_>) {
        self.values.retain(|(known, _)| *known != root);
        if let (Some(value), true) = (value, self.tracked.contains(&root)) {
            let declaration = match root {
                Root::Global(global) => lowering.ast.globals.get(global),
                Root::Local(local) => {
                    let init = lowering.ast.proctypes.iter().find(|proctype| &*proctype.name == ":init:");
                    init.and_then(|init| init.locals.get(local))
                }
                _ => None,
            };
            if let Some(declaration) = declaration {
                let stored = super::storage::word(declaration.ty, false).wrap(value.into());
                self.values.push((root, stored));
            }
        }
    }

    /// The value of an expression, if it is known.
    fn value(&self, expr: ExprRef, lowering: &Lowering<'_>) -> Option<i64> {
        use super::super::ast::{BinaryOp, UnaryOp};
        match lowering.ast.expr(expr) {
            Expr::Number(value) => Some(*value),
            Expr::Variable(reference) if reference.index.is_none() && reference.fields.is_empty() => {
                self.values.iter().find(|(root, _)| *root == reference.root).map(|(_, value)| *value)
            }
            Expr::Unary(UnaryOp::Negate, a) => Some(i64::from((self.value(*a, lowering)? as i32).wrapping_neg())),
            Expr::Unary(UnaryOp::Not, a) => Some(i64::from(self.value(*a, lowering)? == 0)),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(*a, lowering)? as i32, self.value(*b, lowering)? as i32);
                let truth = |holds: bool| Some(i32::from(holds));
                let value = match op {
                    BinaryOp::Add => Some(a.wrapping_add(b)),
                    BinaryOp::Subtract => Some(a.wrapping_sub(b)),
                    BinaryOp::Multiply => Some(a.wrapping_mul(b)),
                    BinaryOp::Divide => a.checked_div(b),
                    BinaryOp::Modulo => a.checked_rem(b),
                    BinaryOp::Equal => truth(a == b),
                    BinaryOp::NotEqual => truth(a != b),
                    BinaryOp::Less => truth(a < b),
                    BinaryOp::Greater => truth(a > b),
                    BinaryOp::LessEqual => truth(a <= b),
                    BinaryOp::GreaterEqual => truth(a >= b),
                    BinaryOp::And => truth(a != 0 && b != 0),
                    BinaryOp::Or => truth(a != 0 || b != 0),
                    _ => None,
                };
                value.map(i64::from)
            }
            _ => None,
        }
    }
}
