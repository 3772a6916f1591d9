//! States, decision diagrams and short runs in turns, each with more than before: invariants and deadlock freedom without a bound,
//! and CTL. Between them, random walks and formulas hunt for what is wrong in systems that are too large for all of these.
//!
//! Few states are visited at once. Where there are many, diagrams may still be small; where diagrams explode, there may be
//! not so many states after all, or a short run that goes wrong. What is allowed is counted in states, results and a solver's
//! ticks, not in seconds, so that the same engine answers every time. Where the first stage is not enough for invariants, variables that cannot influence them are left out.
//!
//! In programs, most interleavings differ in nothing that matters: there, a search that leaves such out takes the place of
//! small diagrams.

use super::cone::{self, joined, undecided};
use super::herald::Herald;
use super::hunting::{self, Hunt, Party};
use super::inductively;
use super::labelling;
use super::options::Witnesses;
use super::portfolio::Task;
use super::short::{self, Reach};
use super::states::{self, Extent};
use super::symbolic::{self, Effort};
use super::valid;
use super::written;
use engine::{Findings, Trouble, Verdict};
use limits::{Ended, Handle};
use system::{Machine, PropertyId, Symmetry, System};

/// A stage: what it leaves over goes to the next one.
#[derive(Clone, Copy)]
enum Stage {
    /// Visiting states.
    States(Extent),
    /// Diagrams.
    Diagrams(Effort),
    /// Short runs.
    Runs(Reach),
    /// Visiting about this many states of a program that stand for all.
    Representatives(usize),
    /// Visiting about this many states of the product with the formula that an invariant of a program is written as.
    Formulas(usize),
    /// Looking for violations only.
    Hunting(Hunt),
    /// What follows from itself.
    Induction,
    /// Labelling of some states.
    Labelling(labelling::Extent),
}

/// The first hunt: random walks for a fraction of a second, as long as most violations need.
const WALKS: Stage = Stage::Hunting(Hunt { party: Party::Walkers, steps: 250, ticks: 10_000_000 });

/// Longer ones: what needs hundreds of steps may be met by any run that is long enough. The steps of programs are small.
const LONG_WALKS: Stage = Stage::Hunting(Hunt { party: Party::Walkers, steps: 2000, ticks: 10_000_000 });

/// More of them, for programs.
const MORE_WALKS: Stage = Stage::Hunting(Hunt { party: Party::Walkers, steps: 5000, ticks: 40_000_000 });

/// A few of the longest, for programs in which each process does much before anything can go wrong.
const LONGEST_WALKS: Stage = Stage::Hunting(Hunt { party: Party::Walkers, steps: 20_000, ticks: 3_000_000 });

/// Walks again and formulas, for about a second: where a walk does not meet what is wrong, parallel steps may.
const FORMULAS: Stage = Stage::Hunting(Hunt { party: Party::All, steps: 250, ticks: 30_000_000 });

/// Long walks, and formulas for what no walk meets by chance: a few seconds.
const HUNT: Stage = Stage::Hunting(Hunt { party: Party::All, steps: 2000, ticks: 300_000_000 });

/// Diagrams whose attempts are this much work, at least and at most.
const fn diagrams(least: u64, most: u64) -> Stage {
    Stage::Diagrams(Effort { least, most })
}

/// Runs of at most this many steps, with at most about this much work of the solver.
const fn runs(steps: usize, ticks: u64) -> Stage {
    Stage::Runs(Reach { steps, ticks })
}

fn states(most: usize) -> Stage {
    Stage::States(Extent::UpTo(most))
}

/// States that are visited before anything else.
const FEW: usize = 200_000;

/// How many states of the product with a formula are visited next, of a program whose invariants can be written as formulas: where what keeps the
/// books is left out, and one of those that are alike stands for all, there may be few.
const GLANCE: usize = 40_000;

/// The same as [`FEW`] where all variables move at once: such models often have thousands of initial states, or of successors of a state, and then
/// visiting leads nowhere.
const FEW_TOGETHER: usize = 20_000;

/// States, small diagrams and walks. In a system of many processes, a state has as many successors and takes as long to look at, and walks
/// get further: fewer states are visited before them.
fn first_states(machine: &Machine) -> Vec<Stage> {
    let system = machine.system();
    let processes = system.processes.len();
    let few = match system.commands.len() {
        1 => FEW_TOGETHER,
        _ => (FEW * MANY * MANY / (processes * processes).max(1)).clamp(5000, FEW),
    };
    let mut stages = vec![states(few)];
    stages.extend(match system.commands.len() {
        _ if system.has_statements => None,
        1 => Some(diagrams(0, 1 << 21)),
        _ => Some(diagrams(0, 1 << 20)),
    });
    stages.extend([WALKS, Stage::Induction, LONG_WALKS]);
    if few < FEW {
        stages.extend(is_hunted_first(system).then_some(FORMULAS));
        stages.push(states(FEW));
    }
    stages
}

/// Whether formulas hunt before more states are visited: of a system with many processes that takes longer.
fn is_hunted_first(system: &System) -> bool {
    !system.has_statements && system.processes.len() > MANY
}

/// With more processes than this, a state takes long to look at.
const MANY: usize = 8;

/// For invariants and deadlock freedom: those that take a second or so. Each stage takes about as long as the one before, or a few times
/// as long, so that a million states are not kept waiting by diagrams that explode.
fn soon(Task { machine, properties, .. }: Task<'_>) -> Vec<Stage> {
    let mut stages = first_states(machine);
    match machine.system().has_statements {
        true => {
            stages.insert(1, Stage::Formulas(GLANCE));
            stages.extend([LONGEST_WALKS, Stage::Formulas(200_000), Stage::Representatives(100_000), MORE_WALKS]);
        }
        false => {
            // Where processes can change places, states that stand for others come sooner to an end.
            let is_alike = Symmetry::of(machine.system(), properties).gain() > 1;
            stages.extend((!is_alike).then_some(diagrams(1 << 21, 1 << 21)));
            stages.extend((!is_hunted_first(machine.system())).then_some(FORMULAS));
            stages.push(runs(20, 50_000_000));
        }
    }
    stages
}

/// Those that come after them. The first one says of each property what is known of it.
fn later(machine: &Machine) -> Vec<Stage> {
    let mut stages = Vec::new();
    if machine.system().has_statements {
        stages.extend([Stage::Formulas(6_000_000), states(2_000_000), HUNT, Stage::Representatives(1_000_000)]);
    } else {
        stages.extend([states(1_000_000), diagrams(1 << 24, 1 << 24), HUNT, runs(50, 1_000_000_000)]);
        stages.extend([states(4_000_000), diagrams(1 << 27, 1 << 27)]);
    }
    stages.extend([states(16_000_000), diagrams(1 << 25, 1 << 30), Stage::States(Extent::All)]);
    stages
}

/// Up to a bound, for what no formula can say: a state with that many steps behind it can be out of reach for a search, and a walk goes there.
fn up_to(bound: usize) -> Vec<Stage> {
    let walks = |ticks| Stage::Hunting(Hunt { party: Party::Walkers, steps: bound, ticks });
    vec![states(FEW_TOGETHER), walks(10_000_000), states(100_000), walks(100_000_000), Stage::States(Extent::All)]
}

/// A run of more steps than this, which a depth-first search has found, is worth a look for a shorter one.
const LONG: usize = 50;

/// About how many states that look is at.
const SHORTENING: usize = 1_000_000;

/// For formulas of CTL, and COMPUTE. A few states are labelled before diagrams have much to do: where they explode, that may be all
/// there is.
const BRANCHING: [Stage; 5] = [
    diagrams(0, 1 << 18),
    Stage::Labelling(FEW_LABELS),
    diagrams(1 << 24, 1 << 24),
    Stage::Labelling(LABELS),
    diagrams(1 << 26, u64::MAX),
];

/// States that are labelled where diagrams may still be small, with some choices of values for each; and where they are not.
const FEW_LABELS: labelling::Extent = labelling::Extent { states: 50_000, looks: 128 };
const LABELS: labelling::Extent = labelling::Extent { states: 300_000, looks: 2048 };

/// The same where witnesses are wanted. Labels show no run, so diagrams have more to do before.
const SHOWING: [Stage; 4] =
    [diagrams(0, 1 << 19), diagrams(1 << 24, 1 << 24), Stage::Labelling(LABELS), diagrams(1 << 26, u64::MAX)];

impl Stage {
    fn decides(self, task: Task<'_>, property: PropertyId) -> bool {
        match self {
            Stage::States(_) | Stage::Diagrams(_) | Stage::Representatives(_) | Stage::Hunting(_) => true,
            Stage::Formulas(_) => task.machine.system().written.contains_key(&property),
            Stage::Runs(_) => short::decides(task.machine, property),
            Stage::Induction => inductively::decides(task, property),
            Stage::Labelling(_) => labelling::decides(task.machine, property),
        }
    }

    fn search(self, task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
        match self {
            Stage::States(extent) => states::search_alike(task, extent, handle),
            Stage::Diagrams(effort) => Ok(symbolic::search_within(task, effort, handle)),
            Stage::Runs(reach) => short::search(task, reach, handle),
            Stage::Representatives(most) => {
                let mut found = states::search_representatives(task, most, handle)?;
                shorten(&mut found, task, handle)?;
                Ok(found)
            }
            Stage::Formulas(most) => {
                let mut found = written::search(task, most, handle);
                shorten(&mut found, task, handle)?;
                Ok(found)
            }
            Stage::Hunting(hunt) => hunting::search(task, hunt, handle),
            Stage::Induction => inductively::search(task, handle),
            Stage::Labelling(extent) => Ok(labelling::search(task, extent, handle)),
        }
    }
}

/// Decides invariants and deadlock freedom. What the first stage leaves open is looked for in the cone of influence, if that is
/// smaller than the model.
pub fn search_invariants(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    search_from_scratch(task, &[soon(task), later(task.machine)].concat(), handle)
}

/// Looks for violations of what no formula can say, in runs up to a bound.
pub fn search_up_to(bound: usize, task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    search_from_scratch(task, &up_to(bound), handle)
}

/// The first stage alone.
pub fn glance_at_invariants(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    soon(task)[0].search(task, handle)
}

/// Goes on with what that has left open, as far as it takes little time.
pub fn search_invariants_soon(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let stages = soon(task);
    match in_cone(task, &stages, handle)? {
        Some(found) => Ok(found),
        None => {
            let mut known = Findings::new("explicit");
            known.conclude(task.properties, &Verdict::ended(handle.why().unwrap_or(Ended::Interrupted), None));
            in_turns(known, task, &stages[1..], &herald(task), handle)
        }
    }
}

/// Goes on with what that has left open.
pub fn search_invariants_later(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let stages = later(task.machine);
    match in_cone(task, &stages, handle)? {
        Some(found) => Ok(found),
        None => all_in_turns(task, &stages, &herald(task), handle),
    }
}

fn search_from_scratch(task: Task<'_>, stages: &[Stage], handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let (first, others) = stages.split_at(1);
    let (herald, known) = (herald(task), first[0].search(task, handle)?);
    herald.tell(&known);
    let open = undecided(&known);
    if !open.is_empty() && !is_over(&known, handle) {
        let task = Task { properties: &open, ..task };
        if let Some(found) = in_cone(task, stages, handle)? {
            return Ok(joined(known, found));
        }
    }
    in_turns(known, task, others, &herald, handle)
}

/// Tells what is violated in the whole system.
fn herald(task: Task<'_>) -> Herald<'_> {
    Herald::new(task.machine, None, task.options)
}

/// Decides formulas of CTL, and COMPUTE. What is true in every model needs no look at this one, unless a run is to show it.
pub fn search_branching(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    let is_valid = |property: &PropertyId| valid::decides(task.machine, *property);
    let (valid, open): (Vec<PropertyId>, Vec<PropertyId>) = task.properties.iter().partition(|one| is_valid(one));
    if valid.is_empty() || task.options.witnesses == Witnesses::Wanted {
        return search_states_of(task, handle);
    }
    let known = valid::search(Task { properties: &valid, ..task }, handle);
    let open = if known.verdicts.is_empty() { task.properties } else { &open };
    if open.is_empty() {
        return Ok(known);
    }
    Ok(joined(known, search_states_of(Task { properties: open, ..task }, handle)?))
}

/// Decides formulas of CTL, and COMPUTE, by what the states of the model are.
fn search_states_of(task: Task<'_>, handle: &mut Handle<'_>) -> Result<Findings, Trouble> {
    match task.options.witnesses {
        Witnesses::Wanted => all_in_turns(task, &SHOWING, &herald(task), handle),
        Witnesses::NotWanted => all_in_turns(task, &BRANCHING, &herald(task), handle),
    }
}

/// All stages on the cone of influence of the properties. None if that is the whole model.
fn in_cone(task: Task<'_>, stages: &[Stage], handle: &mut Handle<'_>) -> Result<Option<Findings>, Trouble> {
    cone::search(task, |task, herald| all_in_turns(task, stages, herald, handle))
}

/// Looks for shorter runs than those that a depth-first search has come by, among some states.
fn shorten(found: &mut Findings, task: Task<'_>, handle: &mut Handle<'_>) -> Result<(), Trouble> {
    for (property, verdict) in &mut found.verdicts {
        let Verdict::Violated(trace) = verdict else { continue };
        if trace.moves.len() <= LONG {
            continue;
        }
        let task = Task { properties: &[*property], ..task };
        let again = states::search(task, Extent::UpTo(SHORTENING), handle)?;
        if let Some(Verdict::Violated(shortest)) = again.verdict(*property) {
            *trace = shortest.clone();
        }
    }
    Ok(())
}

/// Whether there is no more to be found, or no time for it.
fn is_over(known: &Findings, handle: &Handle<'_>) -> bool {
    known.fault.is_some() || handle.why().is_some() || !known.has_initial_state
}

/// One stage after the other, from the first on.
fn all_in_turns(
    task: Task<'_>,
    stages: &[Stage],
    herald: &Herald<'_>,
    handle: &mut Handle<'_>,
) -> Result<Findings, Trouble> {
    let (first, others) = stages.split_at(1);
    let known = first[0].search(task, handle)?;
    in_turns(known, task, others, herald, handle)
}

/// The stages after the first, each on what is left open before it.
fn in_turns(
    mut known: Findings,
    task: Task<'_>,
    stages: &[Stage],
    herald: &Herald<'_>,
    handle: &mut Handle<'_>,
) -> Result<Findings, Trouble> {
    for stage in stages {
        herald.tell(&known);
        let mut open = undecided(&known);
        open.retain(|property| stage.decides(task, *property));
        if !is_over(&known, handle) && !open.is_empty() {
            known = joined(known, stage.search(Task { properties: &open, ..task }, handle)?);
        }
    }
    Ok(known)
}
