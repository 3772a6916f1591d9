//! T(s, s'): Eq. (6) of \[GLST05\], with frame conditions in explanatory form.

use super::fire::Movers;
use super::{Frame, Idling, Unrolling, expression, is_state};
use crate::arithmetic::{constant, sign_extend};
use crate::expr::{Evaluated, Memo};
use crate::gate::Signal;
use crate::lit::ClauseSink;
use crate::value::{Encoded, Form, fresh_variable, integer_width, width_of};
use rustc_hash::{FxHashMap, FxHashSet};
use system::{Choice, Domain, ExprId, Motion, Node, Place, ProcessId, Sort, Value, VarId};

/// A command that may write a variable: when it does, and what.
#[derive(Clone, Copy, PartialEq)]
struct Writer {
    when: Signal,
    choice: Choice,
}

/// Where a value is stored.
#[derive(Clone, Copy)]
pub(super) struct Destination {
    /// In which frame.
    pub frame: usize,
    /// In which variable.
    pub var: VarId,
    /// In which case.
    pub when: Signal,
}

impl Unrolling<'_> {
    pub(super) fn encode_step(&mut self, movers: Movers, sink: &mut dyn ClauseSink) {
        let system = self.system;
        let before = self.frames.len() - 1;
        let known_faults = self.frames[before].faults.len();
        self.fresh_inputs(sink);
        self.note_able();
        self.select(movers, sink);
        self.order_first_moves(before, sink);
        self.leave_control(movers, sink);
        let fires = self.fires(sink);
        self.frames[before].fires.clone_from(&fires);
        self.schedule(sink);
        self.expand(sink);
        let writers = self.writers(&fires);
        let holder = self.holder_after(movers, &fires);
        // What goes wrong while the step is set up belongs to the state that it leads to.
        let faults = self.frames[before].faults.split_off(known_faults);
        self.frames.push(Frame::new(system, faults));
        if let Some(past) = before.checked_sub(1) {
            // Nothing is evaluated there any more.
            self.frames[past].memo = Memo::default();
        }
        self.allocate(before, &writers, sink);
        self.define(before + 1, sink);
        for (var, variable) in system.variables.iter_enumerated() {
            if is_state(variable.motion) && variable.motion != Motion::Defined {
                self.write(before, var, writers.get(&var).map_or(&[], Vec::as_slice), sink);
            }
        }
        for relation in &system.relations {
            self.assert(before, relation.holds, sink);
        }
        for (command, fires) in system.commands.iter().zip(&fires) {
            if let Some(relation) = command.relation {
                let evaluated = self.evaluate(before, relation);
                let fault = self.gates.and(*fires, evaluated.fails);
                self.note_fault(fault);
                self.gates.assert_any(&[!*fires, evaluated.value.boolean(), evaluated.fails], sink);
            }
        }
        for constraint in &system.constraints {
            self.assert(before + 1, constraint.holds, sink);
        }
        if self.rules.idling == Idling::Excluded {
            self.exclude_idling(before, &fires, sink);
        }
        self.settle_control(holder);
    }

    /// Who may write each variable in the step.
    fn writers(&mut self, fires: &[Signal]) -> FxHashMap<VarId, Vec<Writer>> {
        let system = self.system;
        let mut writers: FxHashMap<VarId, Vec<Writer>> = FxHashMap::default();
        let shared = self.shared_updates(fires);
        let selector = self.frames[self.frames.len() - 1].selector.clone();
        for (command, fires) in system.commands.iter().zip(fires) {
            if *fires == Signal::FALSE {
                continue;
            }
            let process = command.owner.process;
            for update in &command.updates {
                let outside = self.is_outside(process, update.place);
                let fault = self.gates.and(*fires, outside);
                self.note_fault(fault);
                let runs = if shared.contains(&(process, update.place, update.choice)) {
                    selector[process.index()]
                } else {
                    *fires
                };
                for var in update.place.variables() {
                    let here = self.writes(process, update.place, var);
                    let writer = Writer { when: self.gates.and(runs, here), choice: update.choice };
                    let known = writers.entry(var).or_default();
                    if writer.when != Signal::FALSE && !known.contains(&writer) {
                        known.push(writer);
                    }
                }
            }
            for (pc, value) in self.goals(command) {
                self.go_to(&mut writers, pc, value, *fires);
            }
        }
        writers
    }

    /// The updates that a process makes whichever of its commands runs: they depend on its selector alone.
    fn shared_updates(&self, fires: &[Signal]) -> FxHashSet<(ProcessId, Place, Choice)> {
        let mut commands: FxHashMap<ProcessId, usize> = FxHashMap::default();
        let mut makers: FxHashMap<(ProcessId, Place, Choice), usize> = FxHashMap::default();
        let possible = self.system.commands.iter().zip(fires).filter(|(_, fires)| **fires != Signal::FALSE);
        for (command, _) in possible {
            let process = command.owner.process;
            *commands.entry(process).or_default() += 1;
            let updates: FxHashSet<(Place, Choice)> =
                command.updates.iter().map(|update| (update.place, update.choice)).collect();
            for (place, choice) in updates {
                *makers.entry((process, place, choice)).or_default() += 1;
            }
        }
        makers.retain(|(process, ..), count| commands.get(process) == Some(count));
        makers.into_keys().collect()
    }

    /// A command's goal is an update of the program counter by a constant that no expression holds.
    fn go_to(&mut self, writers: &mut FxHashMap<VarId, Vec<Writer>>, pc: VarId, value: Value, when: Signal) {
        self.goals.push((pc, value, when));
        writers.entry(pc).or_default();
    }

    /// Whether a place is an element at an index that its array does not have, or that has no value.
    pub(super) fn is_outside(&mut self, process: ProcessId, place: Place) -> Signal {
        let Place::Element { length, low, index, .. } = place else { return Signal::FALSE };
        let evaluated = self.evaluate_by(process, index);
        let indices = Domain::Range { low, high: low + i64::from(length) - 1 };
        if indices.covers(self.system.exprs.sort(index)) {
            return evaluated.fails;
        }
        let elements = (0..i64::from(length)).map(|offset| low + offset);
        let here: Vec<Signal> = elements.map(|element| evaluated.value.equals(&mut self.gates, element)).collect();
        let inside = self.gates.any(&here);
        self.gates.or(evaluated.fails, !inside)
    }

    /// Whether an update of a place by a process writes this variable: for an array element, if the index says so.
    pub(super) fn writes(&mut self, process: ProcessId, place: Place, var: VarId) -> Signal {
        let Place::Element { first, low, index, .. } = place else { return Signal::TRUE };
        let position = low + (var.index() - first.index()) as i64;
        let evaluated = self.evaluate_by(process, index);
        evaluated.value.equals(&mut self.gates, position)
    }

    /// Gives every variable of the next state its signals: the old ones if no command writes it, the written ones if
    /// one surely does, else new ones.
    fn allocate(&mut self, before: usize, writers: &FxHashMap<VarId, Vec<Writer>>, sink: &mut dyn ClauseSink) {
        for (var, variable) in self.system.variables.iter_enumerated() {
            let old = self.frames[before].values[var.index()].clone();
            let value = match (variable.motion, writers.get(&var).map(Vec::as_slice)) {
                (Motion::Input | Motion::Defined, _) => continue,
                (Motion::Kept, None) => old,
                (_, found) => {
                    let writers = found.unwrap_or_default();
                    Some(match self.surely_written(var, writers) {
                        Some(expr) => {
                            let evaluated = self.evaluate(before, expr);
                            self.note_fault(evaluated.fails);
                            self.in_form(var, expr, &evaluated.value)
                        }
                        None => self.fresh_next(before, var, writers, sink),
                    })
                }
            };
            self.frames[before + 1].values[var.index()] = value;
        }
    }

    /// The expression whose value the variable takes in this step whatever happens, if there is one that the old state
    /// gives and the domain covers.
    fn surely_written(&self, var: VarId, writers: &[Writer]) -> Option<ExprId> {
        let [Writer { when: Signal::TRUE, choice: Choice::Exactly(expr) }] = writers else { return None };
        let has_value = self.system.exprs.sort(*expr) != Sort::Never;
        let is_fit = has_value && !self.reads_next(*expr) && self.covers(var, *expr);
        (is_fit && self.goals_of(var).is_empty()).then_some(*expr)
    }

    /// Whether every value of the expression fits the variable.
    fn covers(&self, var: VarId, expr: ExprId) -> bool {
        self.domain(var).covers(self.system.exprs.sort(expr))
    }

    /// New signals; a one-hot variable gets none for the values that it cannot have.
    fn fresh_next(&mut self, before: usize, var: VarId, writers: &[Writer], sink: &mut dyn ClauseSink) -> Encoded {
        let motion = self.system.variables[var].motion;
        let mut possible: Option<Vec<Value>> = None;
        if self.forms[var.index()] == Form::OneHot && motion == Motion::Kept {
            possible = self.possible_values(before, var, writers);
        }
        let domain = self.domain(var);
        fresh_variable(&mut self.gates, sink, domain, self.forms[var.index()], |value| {
            possible.as_ref().is_none_or(|values| values.contains(&value))
        })
    }

    /// The values that a variable has before the step or may be given in it, if they are all known.
    fn possible_values(&self, before: usize, var: VarId, writers: &[Writer]) -> Option<Vec<Value>> {
        let Some(Encoded::OneHot(old)) = &self.frames[before].values[var.index()] else { return None };
        let mut values: Vec<Value> = old.iter().map(|(value, _)| *value).collect();
        values.extend(self.goals_of(var).iter().map(|(value, _)| *value));
        for writer in writers {
            let mut open = vec![expression(writer.choice)?];
            while let Some(id) = open.pop() {
                match *self.system.exprs.node(id) {
                    Node::Constant(value) => values.push(value),
                    Node::Ite(_, a, b) | Node::Union(a, b) => open.extend([a, b]),
                    Node::Interval(low, high) => values.extend(low..=high),
                    Node::Gap(_) => {}
                    Node::Now(read) if read == var => {}
                    _ => return None,
                }
                if open.len() > 10_000 {
                    return None;
                }
            }
        }
        Some(values)
    }

    /// The goals of commands that send this program counter somewhere.
    fn goals_of(&self, var: VarId) -> Vec<(Value, Signal)> {
        self.goals.iter().filter(|(pc, ..)| *pc == var).map(|(_, value, when)| (*value, *when)).collect()
    }

    /// The clauses of one variable: what its writers say, and the frame.
    fn write(&mut self, before: usize, var: VarId, writers: &[Writer], sink: &mut dyn ClauseSink) {
        if self.surely_written(var, writers).is_some() {
            return;
        }
        let goals = self.goals_of(var);
        self.goals.retain(|(pc, ..)| *pc != var);
        let (old, new) =
            (self.frames[before].values[var.index()].clone(), self.frames[before + 1].values[var.index()].clone());
        let (Some(old), Some(new)) = (old, new) else { return };
        for writer in writers {
            let to = Destination { frame: before + 1, var, when: writer.when };
            self.store(before, to, writer.choice, sink);
        }
        for (value, when) in &goals {
            let here = new.equals(&mut self.gates, *value);
            self.gates.assert_any(&[!*when, here], sink);
        }
        if self.system.variables[var].motion == Motion::Kept && old != new {
            let mut whens: Vec<Signal> = writers.iter().map(|writer| writer.when).collect();
            whens.extend(goals.iter().map(|(_, when)| *when));
            self.frame_condition(&old, &new, &whens, sink);
        }
    }

    /// The frame condition in explanatory form: if the variable changed, one of its writers ran.
    fn frame_condition(&mut self, old: &Encoded, new: &Encoded, writers: &[Signal], sink: &mut dyn ClauseSink) {
        let mut pairs: Vec<(Signal, Signal)> = Vec::new();
        match (old, new) {
            (Encoded::OneHot(old), Encoded::OneHot(new)) => {
                // The old value's signal implies the new one's; the other direction follows, as both are one-hot.
                for (value, signal) in old {
                    let after = new.iter().find(|(other, _)| other == value).map_or(Signal::FALSE, |(_, after)| *after);
                    let mut clause = writers.to_vec();
                    clause.extend([!*signal, after]);
                    self.gates.assert_any(&clause, sink);
                }
            }
            _ => {
                let (old, new) = (old.signals(), new.signals());
                let width = old.len().max(new.len());
                pairs.extend(extend_signals(&old, width).into_iter().zip(extend_signals(&new, width)));
            }
        }
        for (before, after) in pairs {
            if before == after {
                continue;
            }
            for (a, b) in [(before, !after), (!before, after)] {
                let mut clause = writers.to_vec();
                clause.extend([a, b]);
                self.gates.assert_any(&clause, sink);
            }
        }
    }

    /// The variable gets a value that the choice allows, the choice's expression being read in frame `source`.
    pub(super) fn store(&mut self, source: usize, to: Destination, choice: Choice, sink: &mut dyn ClauseSink) {
        match choice {
            Choice::Anything => {}
            Choice::OneOf(set) => self.store_one_of(source, to, set, sink),
            Choice::Exactly(expr) => {
                let evaluated = self.evaluate(source, expr);
                self.store_exactly(to, expr, &evaluated, sink);
            }
        }
    }

    fn store_exactly(&mut self, to: Destination, expr: ExprId, evaluated: &Evaluated, sink: &mut dyn ClauseSink) {
        let Destination { frame, var, when } = to;
        let Some(new) = self.frames[frame].values[var.index()].clone() else { return };
        if self.system.exprs.sort(expr) == Sort::Never {
            self.note_fault(when);
            return;
        }
        let inside = self.is_inside_domain(var, expr, &evaluated.value);
        let bad = self.gates.or(evaluated.fails, !inside);
        let fault = self.gates.and(when, bad);
        self.note_fault(fault);
        let value = self.in_form(var, expr, &evaluated.value);
        if let (Encoded::OneHot(new), Encoded::OneHot(value)) = (&new, &value) {
            for (value, signal) in value {
                let here = new.iter().find(|(other, _)| other == value).map_or(Signal::FALSE, |(_, here)| *here);
                self.gates.assert_any(&[!when, !*signal, here, bad], sink);
            }
            return;
        }
        let (new, value) = (new.signals(), value.signals());
        let width = new.len().max(value.len());
        for (new, value) in extend_signals(&new, width).into_iter().zip(extend_signals(&value, width)) {
            self.gates.assert_any(&[!when, !value, new, bad], sink);
            self.gates.assert_any(&[!when, value, !new, bad], sink);
        }
    }

    /// An expression's value in the form of the variable that takes it. Where the value is none of the variable's, no signal
    /// of a one-hot form is true.
    pub(super) fn in_form(&mut self, var: VarId, expr: ExprId, value: &Encoded) -> Encoded {
        let sort = self.system.exprs.sort(expr);
        match (self.forms[var.index()], value) {
            (Form::OneHot, Encoded::Integer(_)) => {
                let domain = self.domain(var);
                let values = (0..domain.size() as u64).map(|index| domain.value_at(index));
                let possible = values.filter(|possible| sort.admits(*possible));
                Encoded::OneHot(possible.map(|possible| (possible, value.equals(&mut self.gates, possible))).collect())
            }
            (Form::Binary, Encoded::OneHot(values)) => {
                let needed = values.iter().map(|(value, _)| integer_width(*value, *value)).max().unwrap_or(1);
                let width = width_of(self.domain(var).sort()).max(needed);
                Encoded::Integer(value.integer(&mut self.gates, width))
            }
            _ => value.clone(),
        }
    }

    /// Whether a value belongs to the variable's domain.
    pub(super) fn is_inside_domain(&mut self, var: VarId, expr: ExprId, value: &Encoded) -> Signal {
        let domain = self.domain(var);
        let sort = self.system.exprs.sort(expr);
        if domain.covers(sort) {
            return Signal::TRUE;
        }
        match value {
            Encoded::Boolean(_) | Encoded::Word(_) => Signal::TRUE,
            Encoded::OneHot(values) => {
                let inside: Vec<Signal> =
                    values.iter().filter(|(value, _)| domain.contains(*value)).map(|(_, signal)| *signal).collect();
                self.gates.any(&inside)
            }
            Encoded::Integer(bits) => {
                let mut inside = Vec::new();
                if let Domain::Range { low, high } = domain {
                    let width = bits.len().max(integer_width(*low, *high));
                    let wide = sign_extend(bits, width);
                    let below = self.gates.less_signed(&wide, &constant((*low).into(), width));
                    let above = self.gates.less_signed(&constant((*high).into(), width), &wide);
                    let outside = self.gates.or(below, above);
                    inside.push(!outside);
                } else {
                    for index in 0..domain.size() as u64 {
                        inside.push(value.equals(&mut self.gates, domain.value_at(index)));
                    }
                }
                self.gates.any(&inside)
            }
        }
    }

    /// Whether a variable has the value of an expression.
    pub(super) fn same(&mut self, var: VarId, expr: ExprId, encoded: &Encoded, value: &Encoded) -> Signal {
        let value = self.in_form(var, expr, value);
        self.equal(encoded, &value)
    }

    /// Whether two values in the same form are equal.
    pub(super) fn equal(&mut self, a: &Encoded, b: &Encoded) -> Signal {
        if let (Encoded::OneHot(a), Encoded::OneHot(b)) = (a, b) {
            let mut same = Vec::new();
            for (value, signal) in b {
                if let Some((_, here)) = a.iter().find(|(other, _)| other == value) {
                    same.push(self.gates.and(*signal, *here));
                }
            }
            return self.gates.any(&same);
        }
        let (a, b) = (a.signals(), b.signals());
        let width = a.len().max(b.len());
        self.gates.equal_bits(&extend_signals(&a, width), &extend_signals(&b, width))
    }
}

/// Two's complement bits brought to a width. Booleans and words always have the same number of signals already.
fn extend_signals(signals: &[Signal], width: usize) -> Vec<Signal> {
    sign_extend(signals, width)
}
