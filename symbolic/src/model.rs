//! A system as sets and relations.

use super::attempt::Attempt;
use super::order::Order;
use super::space::{Part, Space, When};
use super::step::Conditions;
use super::transition::{Joining, Steps, Transition};
use super::translate::Translation;
use super::watch::Lookout;
use super::{Refusal, Trouble};
use diagrams::{Diagram, Direction, Exhausted, Manager, Natural, Ordering, Relation, Variable as Bit};
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use system::{CommandId, ExprId, Footprint, Machine, ProcessId, State, System, VarId};

/// A system as sets and relations.
pub struct Model<'m> {
    /// The machine whose states these are.
    pub machine: &'m Machine,
    pub(super) space: Space,
    pub(super) manager: Manager,
    pub(super) lookout: Lookout,
    /// The initial states.
    pub(super) initial: Diagram,
    /// What commands do.
    pub(super) transitions: Vec<Transition>,
    /// States in which something may have no value: at least those where it has none.
    pub(super) faults: Diagram,
    reachable: Option<Diagram>,
    /// Those that were reached when a limit ended the search.
    reached: Option<Reached>,
    /// All others, once the reachable ones are known.
    unreachable: Diagram,
}

/// How many variables of the system are looked at in the time that a result takes.
const VARIABLES_PER_RESULT: u64 = 8;

/// States on the way to all that steps lead to.
struct Reached {
    all: Diagram,
    /// Those whose steps have not been followed.
    new: Diagram,
}

/// What one command contributes.
struct Built {
    steps: Steps,
    faults: Diagram,
}

impl<'m> Model<'m> {
    /// Makes the relations of a machine, with an order of bits that was good before. The limits and those who look out can end it, and all
    /// that is done later.
    pub fn new(
        machine: &'m Machine,
        attempt: Attempt,
        known: &[Part],
        lookout: &Lookout,
    ) -> Result<Model<'m>, Trouble> {
        let system = machine.system();
        let space = Space::new(system, attempt.order);
        let mut manager = Manager::new(space.count(), attempt.nodes);
        let watched = lookout.clone();
        manager.heed(move |nodes| watched.rings(nodes));
        manager.limit_effort(attempt.effort);
        if attempt.order == Order::Sifted {
            manager.arrange(&arranged(&space, known));
        }
        let conditions = Conditions::initial(system, &space)?;
        let mut translation = Translation::default();
        let mut parts = Vec::new();
        for signal in &conditions.holds {
            parts.push(translation.diagram(&mut manager, &conditions.gates, *signal)?);
        }
        let initial = conjoined(&mut manager, parts)?;
        let fails = failing(&mut manager, &mut translation, &conditions)?;
        if !fails.is_false() {
            let values = updates(&mut manager, &mut translation, &conditions)?;
            let wrong = values.into_iter().map(|(_, value)| value).chain([fails]);
            if !conjoined(&mut manager, wrong.collect())?.is_false() {
                return Err(Refusal::InitialFault.into());
            }
        }
        let never = manager.never();
        let mut model = Model {
            machine,
            space,
            initial,
            transitions: Vec::new(),
            faults: never.clone(),
            reachable: None,
            reached: None,
            unreachable: never,
            lookout: lookout.clone(),
            manager,
        };
        model.make_transitions()?;
        // What was needed on the way to the relations is gone: from now on, a better order is better for good.
        if attempt.order == Order::Sifted {
            model.manager.set_ordering(Ordering::Sifted);
        }
        Ok(model)
    }

    pub(super) fn system(&self) -> &'m System {
        self.machine.system()
    }

    /// The bits from the top of the order.
    pub(super) fn order(&self) -> Vec<Part> {
        let parts = self.space.parts();
        self.manager.order().iter().map(|bit| parts[*bit as usize]).collect()
    }

    fn make_transitions(&mut self) -> Result<(), Trouble> {
        let system = self.system();
        let mut built = Vec::new();
        for id in system.commands.indices() {
            built.push(self.build(id, Timeout::No, &self.manager.always(), None)?);
        }
        let control = self.control(&built)?;
        for (id, early) in system.commands.indices().zip(built) {
            let process = system.commands[id].owner.process;
            let allowed = control.as_ref().map_or_else(|| self.manager.always(), |control| control.may_move(process));
            let early = if allowed.is_true() { early } else { self.build(id, Timeout::No, &allowed, None)? };
            self.add(id, early)?;
            let waits = Footprint::of(&system.exprs, &[system.commands[id].guard]).timeout;
            if let Some(control) = control.as_ref().filter(|_| waits) {
                let stuck = control.stuck.clone();
                let late = self.build(id, Timeout::Yes, &stuck, None)?;
                self.add(id, late)?;
            }
        }
        Ok(())
    }

    fn add(&mut self, command: CommandId, built: Built) -> Result<(), Exhausted> {
        self.faults = self.manager.or(&self.faults, &built.faults)?;
        self.transitions.push(Transition { command, steps: built.steps });
        Ok(())
    }

    /// The steps of a command from some states, of which something else may be asked as well.
    fn build(
        &mut self,
        id: CommandId,
        timeout: Timeout,
        allowed: &Diagram,
        besides: Option<ExprId>,
    ) -> Result<Built, Trouble> {
        let system = self.system();
        let command = &system.commands[id];
        // To find the conditions takes time even where they are few.
        self.manager.spend(1 + system.variables.len() as u64 / VARIABLES_PER_RESULT)?;
        let mut conditions = Conditions::command(system, &self.space, command, timeout == Timeout::Yes)?;
        let besides = besides.map(|expr| conditions.condition(expr));
        let (mut translation, manager) = (Translation::default(), &mut self.manager);
        let mut parts = vec![allowed.clone()];
        if let Some(besides) = besides {
            let fails = translation.diagram(manager, &conditions.gates, besides.fails)?;
            let inside = self.reachable.clone().unwrap_or_else(|| manager.always());
            let inside = manager.and(&inside, allowed)?;
            let encoder::Encoded::Boolean(holds) = besides.value else { return Err(Refusal::FairnessFault.into()) };
            if !manager.and(&fails, &inside)?.is_false() {
                return Err(Refusal::FairnessFault.into());
            }
            conditions.holds.push(holds);
        }
        for signal in &conditions.holds {
            parts.push(translation.diagram(manager, &conditions.gates, *signal)?);
        }
        let joining = if system.commands.len() > 1 { Joining::Far } else { Joining::Moderate };
        let written = conditions.written_bits();
        let faults = faults(manager, &mut translation, &conditions, &self.space, allowed)?;
        let steps = Steps::new(manager, parts, &written, self.space.inputs(), joining)?;
        Ok(Built { steps, faults })
    }

    /// The steps of a command that also satisfy a condition, which may read inputs and who runs.
    pub(super) fn steps_where(&mut self, at: usize, condition: ExprId) -> Result<Steps, Trouble> {
        // The states where the command can run say when its time has come.
        let enabled = self.enabled(at)?;
        let id = self.transitions[at].command;
        let waits = Footprint::of(&self.system().exprs, &[self.system().commands[id].guard]).timeout;
        if waits {
            return Err(Refusal::FairnessAndTimeout.into());
        }
        Ok(self.build(id, Timeout::No, &enabled, Some(condition))?.steps)
    }

    /// The states in which a transition is possible.
    pub(super) fn enabled(&mut self, at: usize) -> Result<Diagram, Exhausted> {
        let always = self.manager.always();
        self.transitions[at].steps.image(&mut self.manager, Direction::Backward, &always)
    }

    /// Who may move where there are atomic sections or timeouts; nothing where there are none.
    fn control(&mut self, built: &[Built]) -> Result<Option<Control>, Trouble> {
        let system = self.system();
        if !system.has_atomic_sections && !system.has_timeout() {
            return Ok(None);
        }
        let mut able: Vec<Diagram> = system.processes.iter().map(|_| self.manager.never()).collect();
        for (command, built) in system.commands.iter().zip(built) {
            let always = self.manager.always();
            let enabled = built.steps.image(&mut self.manager, Direction::Backward, &always)?;
            let able = &mut able[command.owner.process.index()];
            *able = self.manager.or(able, &enabled)?;
        }
        let somebody = self.manager.any(able.clone())?;
        let stuck = self.manager.not(&somebody)?;
        let mut keeps = Vec::new();
        for process in system.processes.indices() {
            let keeping = if system.has_atomic_sections {
                let mut gates = encoder::Gates::default();
                let holds = self.space.holds(&mut gates, Some(process), When::Now);
                let holds = Translation::default().diagram(&mut self.manager, &gates, holds)?;
                self.manager.and(&holds, &able[process.index()])?
            } else {
                self.manager.never()
            };
            keeps.push(keeping);
        }
        let mut may_move = Vec::new();
        for process in system.processes.indices() {
            let others = keeps.iter().enumerate().filter(|(other, _)| *other != process.index());
            let others: Vec<Diagram> = others.map(|(_, keeps)| keeps.clone()).collect();
            let taken = self.manager.any(others)?;
            may_move.push(self.manager.not(&taken)?);
        }
        Ok(Some(Control { may_move, stuck }))
    }

    /// The reachable states.
    pub fn reachable(&mut self) -> Result<Diagram, Exhausted> {
        if let Some(known) = &self.reachable {
            return Ok(known.clone());
        }
        let mut reached = match self.reached.take() {
            Some(reached) => reached,
            None => self.saturated(Direction::Forward, &self.initial.clone())?,
        };
        if let Err(stop) = self.go_on(Direction::Forward, &mut reached) {
            self.reached = Some(reached);
            return Err(stop);
        }
        self.unreachable = self.manager.not(&reached.all)?;
        self.reachable = Some(reached.all.clone());
        Ok(reached.all)
    }

    /// All states that runs lead to from a set, or come from to it.
    pub(super) fn closure(&mut self, direction: Direction, set: &Diagram) -> Result<Diagram, Exhausted> {
        let mut reached = self.saturated(direction, set)?;
        self.go_on(direction, &mut reached)?;
        Ok(reached.all)
    }

    /// Where the relations lead that are single diagrams.
    fn saturated(&mut self, direction: Direction, set: &Diagram) -> Result<Reached, Exhausted> {
        let all = self.manager.closure(direction, set, &self.relations())?;
        Ok(Reached { new: all.clone(), all })
    }

    fn relations(&self) -> Vec<Relation> {
        self.transitions.iter().filter_map(|transition| transition.steps.relation()).collect()
    }

    /// Goes on until nothing is new, breadth-first for relations that are conjunctions.
    fn go_on(&mut self, direction: Direction, reached: &mut Reached) -> Result<(), Exhausted> {
        let relations = self.relations();
        while relations.len() < self.transitions.len() && !reached.new.is_false() {
            self.lookout.layer();
            let mut found = self.manager.never();
            let new = self.frontier(reached)?;
            for transition in self.transitions.iter().filter(|transition| matches!(transition.steps, Steps::Many(_))) {
                let step = transition.steps.image(&mut self.manager, direction, &new)?;
                found = self.manager.or(&found, &step)?;
            }
            found = self.manager.without(&found, &reached.all)?;
            if !relations.is_empty() && !found.is_false() {
                found = self.manager.closure(direction, &found, &relations)?;
                found = self.manager.without(&found, &reached.all)?;
            }
            let all = self.manager.or(&reached.all, &found)?;
            *reached = Reached { all, new: found };
        }
        Ok(())
    }

    /// Any set between the new states and all will do. Looking for a small one is worth it where there is much to gain.
    fn frontier(&mut self, reached: &Reached) -> Result<Diagram, Exhausted> {
        if 2 * self.manager.size(&reached.new) > self.manager.size(&reached.all) {
            return self.smaller(&reached.new, &reached.all);
        }
        Ok(reached.new.clone())
    }

    /// A set between two others whose diagram is no larger than the first one's.
    pub(super) fn smaller(&mut self, least: &Diagram, most: &Diagram) -> Result<Diagram, Exhausted> {
        let between = self.manager.between(least, most)?;
        let is_smaller = self.manager.size(&between) < self.manager.size(least);
        Ok(if is_smaller { between } else { least.clone() })
    }

    /// The states one step away from a set. Backwards, what no run reaches may be among them once it is known: reachable states
    /// have reachable successors, so that others in the set change nothing for them, and the diagram can be smaller.
    pub(super) fn image(&mut self, direction: Direction, set: &Diagram) -> Result<Diagram, Exhausted> {
        if direction == Direction::Backward && !self.unreachable.is_false() {
            let (set, others) = (set.clone(), self.unreachable.clone());
            let most = self.manager.or(&set, &others)?;
            let set = self.smaller(&set, &most)?;
            return self.step(direction, &set);
        }
        self.step(direction, set)
    }

    fn step(&mut self, direction: Direction, set: &Diagram) -> Result<Diagram, Exhausted> {
        let mut found = Vec::with_capacity(self.transitions.len());
        for transition in &self.transitions {
            found.push(transition.steps.image(&mut self.manager, direction, set)?);
        }
        self.manager.any(found)
    }

    /// How many states a set has.
    pub fn count(&self, set: &Diagram) -> Natural {
        self.manager.count(set, self.space.state())
    }

    /// One state of a set.
    pub(super) fn pick(&self, set: &Diagram) -> Option<State> {
        let bits = self.manager.pick(set, self.space.state())?;
        Some(self.space.decode(self.system(), self.machine.layout(), &bits))
    }

    /// All states of a set, for small ones.
    pub fn states(&self, set: &Diagram) -> impl Iterator<Item = State> {
        let states = self.manager.states(set, self.space.state());
        states.map(|bits| self.space.decode(self.system(), self.machine.layout(), &bits))
    }

    /// The states where an expression is true, and where it has no value.
    pub(super) fn satisfying(&mut self, expr: ExprId) -> Result<(Diagram, Diagram), Exhausted> {
        let mut conditions = Conditions::of_state(self.system(), &self.space);
        let evaluated = conditions.condition(expr);
        let holds = match evaluated.value {
            encoder::Encoded::Boolean(value) => conditions.gates.and(value, !evaluated.fails),
            _ => encoder::Signal::FALSE,
        };
        let mut translation = Translation::default();
        let holds = translation.diagram(&mut self.manager, &conditions.gates, holds)?;
        let fails = translation.diagram(&mut self.manager, &conditions.gates, evaluated.fails)?;
        Ok((holds, fails))
    }
}

/// The bits in an order that was good for others, as far as it has them.
fn arranged(space: &Space, known: &[Part]) -> Vec<Bit> {
    let places: FxHashMap<Part, usize> = known.iter().enumerate().map(|(place, part)| (*part, place)).collect();
    let parts = space.parts();
    let mut bits: Vec<Bit> = (0..space.count()).collect();
    bits.sort_by_key(|bit| places.get(&parts[*bit as usize]).copied().unwrap_or(usize::MAX));
    bits
}

/// Whether time is out for those who wait for it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Timeout {
    No,
    Yes,
}

/// Who may move.
struct Control {
    /// For each process, where no other one keeps control.
    may_move: Vec<Diagram>,
    /// Where nothing can move before time is out.
    stuck: Diagram,
}

impl Control {
    fn may_move(&self, process: ProcessId) -> Diagram {
        self.may_move[process.index()].clone()
    }
}

/// Where something that is evaluated has no value.
fn failing(
    manager: &mut Manager,
    translation: &mut Translation,
    conditions: &Conditions<'_>,
) -> Result<Diagram, Exhausted> {
    let mut fails = manager.never();
    for signal in conditions.fails.iter().filter(|signal| signal.as_constant() != Some(false)) {
        let one = translation.diagram(manager, &conditions.gates, *signal)?;
        fails = manager.or(&fails, &one)?;
    }
    Ok(fails)
}

/// What the updates say.
fn updates(
    manager: &mut Manager,
    translation: &mut Translation,
    conditions: &Conditions<'_>,
) -> Result<Vec<(VarId, Diagram)>, Exhausted> {
    let mut updates = Vec::new();
    for (var, signal) in &conditions.updates {
        updates.push((*var, translation.diagram(manager, &conditions.gates, *signal)?));
    }
    Ok(updates)
}

/// The states in which a step of the command may meet something without a value.
fn faults(
    manager: &mut Manager,
    translation: &mut Translation,
    conditions: &Conditions<'_>,
    space: &Space,
    allowed: &Diagram,
) -> Result<Diagram, Exhausted> {
    let fails = failing(manager, translation, conditions)?;
    let mut all = manager.and(&fails, allowed)?;
    if all.is_false() {
        return Ok(all);
    }
    // There are always new values. So only those matter that what fails reads, and what these depend on.
    let mut left: Vec<(VarId, Diagram)> = updates(manager, translation, conditions)?;
    let mut read: BTreeSet<Bit> = manager.support(&all).next.into_iter().collect();
    loop {
        let is_read = |(var, _): &(VarId, Diagram)| space.of(*var).iter().any(|bit| read.contains(bit));
        let (told, others): (Vec<_>, Vec<_>) = left.into_iter().partition(is_read);
        if told.is_empty() {
            break;
        }
        for (_, update) in told {
            read.extend(manager.support(&update).next);
            all = manager.and(&all, &update)?;
        }
        left = others;
    }
    let written = conditions.written_bits();
    let (next, inputs) = (manager.next_cube(&written)?, manager.cube(space.inputs())?);
    let all = manager.exists(&all, &next)?;
    manager.exists(&all, &inputs)
}

/// The conjunction of all, small ones first.
fn conjoined(manager: &mut Manager, parts: Vec<Diagram>) -> Result<Diagram, Exhausted> {
    let mut parts: Vec<(usize, Diagram)> = parts.into_iter().map(|part| (manager.size(&part), part)).collect();
    parts.sort_by_key(|(size, _)| *size);
    parts.into_iter().try_fold(manager.always(), |all, (_, part)| manager.and(&all, &part))
}

#[cfg(test)]
#[path = "../../system/tests/random/mod.rs"]
mod random;

#[cfg(test)]
mod tests {
    use super::random::{Coordination, random_system};
    use super::*;
    use proptest::prelude::*;
    use std::ops::ControlFlow;
    use std::sync::Arc;

    const NODES: usize = 1 << 20;

    /// The successors of a state as the machine has them.
    fn successors(machine: &Machine, state: &State) -> BTreeSet<State> {
        let mut found = BTreeSet::new();
        let visit = |successor: system::Successor<'_>| {
            found.insert(State(successor.state.into()));
            ControlFlow::Continue(())
        };
        machine.successors(&state.0, &mut machine.workspace(), visit).expect("random systems have no faults");
        found
    }

    fn initial(machine: &Machine) -> BTreeSet<State> {
        let mut found = BTreeSet::new();
        let visit = |state| {
            found.insert(state);
            ControlFlow::Continue(())
        };
        machine.initial_states(&mut machine.workspace(), visit).expect("random systems have no faults");
        found
    }

    /// All states by search.
    fn explored(machine: &Machine) -> BTreeSet<State> {
        let (mut seen, mut open) = (BTreeSet::new(), initial(machine).into_iter().collect::<Vec<State>>());
        while let Some(state) = open.pop() {
            if seen.insert(state.clone()) {
                open.extend(successors(machine, &state));
            }
        }
        seen
    }

    /// The relations of a model as the engine has them, or as it has those that are too large for one diagram.
    #[derive(Clone, Copy, Debug)]
    enum Form {
        Single,
        Conjunctions,
    }

    /// The reachable states of a model, found in pieces: limits end the search where chance has it, and it goes on. The second is how
    /// often it was ended.
    fn reachable_in_pieces(model: &mut Model<'_>, seed: u64) -> (Diagram, usize) {
        const MOST: usize = 20;
        const PATIENCE: u64 = 1 << 13;
        let mut random = seed;
        for stops in 0.. {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            // Limits are looked at after each so many results: from such a point on to a few results before the next one.
            model.manager.limit_effort(0);
            while model.manager.spend(1).is_ok() {}
            model.manager.limit_effort(u64::MAX);
            model.manager.spend(PATIENCE - 1 - (random >> 59)).expect("no limit");
            model.manager.limit_effort(if stops < MOST { 0 } else { u64::MAX });
            match model.reachable() {
                Ok(reachable) => return (reachable, stops),
                Err(stop) => assert_eq!(stop, Exhausted::Effort),
            }
        }
        unreachable!("the last piece has no limit")
    }

    #[test]
    fn a_search_that_was_ended_goes_on_where_it_stopped() {
        for form in [Form::Single, Form::Conjunctions] {
            let mut stops = 0;
            for seed in 0..100 {
                let machine = Machine::new(Arc::new(random_system(seed, Coordination::Any)));
                let mut model = Model::new(&machine, Attempt::within(NODES), &[], &Lookout::default()).unwrap();
                if let Form::Conjunctions = form {
                    for transition in &mut model.transitions {
                        transition.steps = transition.steps.as_conjunction(&mut model.manager).unwrap();
                    }
                }
                let (reachable, ended) = reachable_in_pieces(&mut model, seed);
                stops += ended;
                let found: BTreeSet<State> = model.states(&reachable).collect();
                assert_eq!(found, explored(&machine), "seed {seed}, {form:?}");
            }
            assert!(stops > 10, "{stops} times, {form:?}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(400))]

        #[test]
        fn relations_are_the_steps_of_the_machine(seed in any::<u64>()) {
            let kind = [Coordination::Any, Coordination::Program, Coordination::None][seed as usize % 3];
            let machine = Machine::new(Arc::new(random_system(seed, kind)));
            let mut model = match Model::new(&machine, Attempt::within(NODES), &[], &Lookout::default()) {
                Ok(model) => model,
                Err(trouble) => return Err(TestCaseError::fail(trouble.to_string())),
            };
            let start = model.initial.clone();
            prop_assert_eq!(model.states(&start).collect::<BTreeSet<_>>(), initial(&machine), "seed {}", seed);
            let all = explored(&machine);
            let reachable = model.reachable().unwrap();
            prop_assert_eq!(model.count(&reachable).to_u128(), Some(all.len() as u128), "seed {}", seed);
            prop_assert_eq!(&model.states(&reachable).collect::<BTreeSet<_>>(), &all, "seed {}", seed);
            for bits in model.manager.states(&reachable, model.space.state()).collect::<Vec<_>>() {
                let state = model.space.decode(machine.system(), machine.layout(), &bits);
                let single = model.manager.minterm(model.space.state(), &bits).unwrap();
                let next = model.image(Direction::Forward, &single).unwrap();
                let expected = successors(&machine, &state);
                prop_assert_eq!(model.states(&next).collect::<BTreeSet<_>>(), expected, "seed {} {:?}", seed, state);
                let before = model.image(Direction::Backward, &single).unwrap();
                let before = model.manager.and(&before, &reachable).unwrap();
                let expected: BTreeSet<State> =
                    all.iter().filter(|other| successors(&machine, other).contains(&state)).cloned().collect();
                prop_assert_eq!(model.states(&before).collect::<BTreeSet<_>>(), expected, "seed {}", seed);
            }
            let faults = model.faults.clone();
            let faults = model.manager.and(&faults, &reachable).unwrap();
            prop_assert!(faults.is_false(), "random systems have no faults");
        }
    }
}
