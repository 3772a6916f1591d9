//! Counting the product of a system and a claim as SPIN does.
//!
//! A claim and the system move in turns. SPIN stores the states in which it is the claim's turn. Where the system has come
//! to its end, the claim goes on alone, and then the states after its moves are stored, though it is the system's turn
//! there. SPIN does not tell the two apart, and how a state was met first decides how the search goes on from it: so this
//! search is depth-first and goes in SPIN's order.

use super::count::{CHUNK, Count, Unwatched};
use super::rows::{Rows, hash};
use engine::Stop;
use limits::{Handle, Progress};
use system::{
    ClaimAutomaton, ClaimMove, ClaimStateId, Failure, Halt, IndexVec, Machine, Predicate, Sections, Statements, Visit,
    Workspace,
};

/// What counting a product found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// States and transitions.
    pub count: Count,
    /// Whether the claim can go round for ever in atomic sections where the system has come to its end. SPIN goes round
    /// until its limit on the depth then, and counts that.
    pub is_endless: bool,
}

/// Whose turn it is at a pair of states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Turn {
    /// The claim's, if the pair is new.
    Claim,
    /// The system's, if the pair is new.
    System,
    /// The system's; the pair is not stored. The claim has gone on alone for this many moves that were not stored.
    Between(u32),
}

/// A pair of a state of the system, which is kept elsewhere, and one of the claim.
#[derive(Clone, Copy, Debug)]
struct Pair {
    claim: ClaimStateId,
    turn: Turn,
}

/// A move of the claim, ready to be tried.
#[derive(Debug)]
struct Prepared {
    guard: Predicate,
    to: ClaimStateId,
    statements: Statements,
}

fn prepare(machine: &Machine, moves: &[ClaimMove]) -> Vec<Prepared> {
    let moves = moves.iter();
    moves
        .map(|step| Prepared { guard: machine.predicate(step.guard), to: step.to, statements: step.statements })
        .collect()
}

struct Search<'a> {
    machine: &'a Machine,
    moves: IndexVec<ClaimStateId, Vec<Prepared>>,
    sections: Sections,
    unwatched: Unwatched<'a>,
    workspace: Workspace,
    /// Pairs that were met: the state of the system, and a word for that of the claim.
    store: Rows,
    /// Pairs that are still to be visited, the next one last, and their states of the system side by side.
    open: Vec<Pair>,
    open_states: Vec<u64>,
    /// The pair at hand as it is stored.
    key: Vec<u64>,
    product: Product,
}

/// Counts the product of a system and a claim, in at most this many bytes.
pub fn count_product(
    machine: &Machine,
    claim: &ClaimAutomaton,
    memory: usize,
    handle: &mut Handle<'_>,
) -> Result<Product, (Failure, Product)> {
    let mut search = Search::new(machine, claim);
    if let Err(halt) = search.begin() {
        return search.halted(halt);
    }
    let mut visited = 0usize;
    while let Some(pair) = search.open.pop() {
        if visited.is_multiple_of(CHUNK) {
            let bytes = search.store.bytes_with(CHUNK)
                + search.sections.bytes()
                + search.open_states.capacity() * size_of::<u64>();
            if bytes > memory {
                search.product.count.stop = Stop::Memory;
                break;
            }
            if handle.see(Progress::States { states: search.store.len(), depth: 0 }).is_break() {
                search.product.count.stop = Stop::Interrupted;
                break;
            }
        }
        visited += 1;
        let outcome = search.visit(pair);
        search.product.count.states = search.store.len();
        if let Err(halt) = outcome {
            return search.halted(halt);
        }
    }
    Ok(search.product)
}

impl<'a> Search<'a> {
    fn new(machine: &'a Machine, claim: &ClaimAutomaton) -> Search<'a> {
        let words = machine.layout().words();
        Search {
            machine,
            moves: claim.moves.iter().map(|moves| prepare(machine, moves)).collect(),
            sections: machine.sections(),
            unwatched: Unwatched::new(machine),
            workspace: machine.workspace(),
            store: Rows::new(words + 1),
            open: Vec::new(),
            open_states: Vec::new(),
            key: vec![0; words + 1],
            product: Product { count: Count { states: 0, transitions: 0, stop: Stop::Complete }, is_endless: false },
        }
    }

    /// What was counted before states could not be computed.
    fn halted(mut self, halt: Halt) -> Result<Product, (Failure, Product)> {
        match halt {
            Halt::Failed(failure) => Err((failure, self.product)),
            Halt::Interrupted => {
                self.product.count.stop = Stop::Interrupted;
                Ok(self.product)
            }
        }
    }

    fn begin(&mut self) -> Result<(), Halt> {
        let Search { machine, unwatched, open, open_states, workspace, .. } = self;
        machine.initial_states(workspace, |state| {
            open.push(Pair { claim: ClaimStateId::new(0), turn: Turn::Claim });
            unwatched.add(&state.0, open_states);
            Visit::Continue(())
        })
    }

    fn visit(&mut self, Pair { claim, turn }: Pair) -> Result<(), Halt> {
        let words = self.key.len() - 1;
        let below = self.open_states.len() - words;
        self.key[..words].copy_from_slice(&self.open_states[below..]);
        self.open_states.truncate(below);
        self.key[words] = claim.index() as u64;
        let is_new = match turn {
            Turn::Between(_) => true,
            Turn::Claim | Turn::System => {
                self.product.count.transitions += 1;
                self.store.insert(&self.key, hash(&self.key)).is_new()
            }
        };
        match turn {
            _ if !is_new => Ok(()),
            Turn::Claim => self.claims_turn(claim),
            Turn::System => self.system_moves(claim, 0),
            Turn::Between(alone) => self.system_moves(claim, alone),
        }
    }

    /// Opens the pairs after the moves of the claim in its turn. At a timeout, SPIN tries again what it has tried without,
    /// and so goes twice where an atomic section of the claim leads.
    fn claims_turn(&mut self, claim: ClaimStateId) -> Result<(), Halt> {
        let mut moves = self.claim_moves(claim)?;
        let (one, several): (Vec<_>, Vec<_>) = moves.iter().partition(|(_, statements)| *statements == Statements::One);
        let words = self.key.len() - 1;
        if !one.is_empty() && !several.is_empty() && self.sections.times_out(self.machine, &self.key[..words])? {
            moves.splice(0..0, several);
        }
        self.open_after(&moves, |_| Turn::Between(0));
        Ok(())
    }

    /// The possible moves of the claim, in order.
    fn claim_moves(&mut self, claim: ClaimStateId) -> Result<Vec<(ClaimStateId, Statements)>, Halt> {
        let words = self.key.len() - 1;
        let mut possible = Vec::new();
        for step in &self.moves[claim] {
            if self.machine.satisfies(&step.guard, &self.key[..words], &mut self.workspace)? {
                possible.push((step.to, step.statements));
            }
        }
        Ok(possible)
    }

    /// Opens the pairs after some moves of the claim, the first to be visited first.
    fn open_after(&mut self, moves: &[(ClaimStateId, Statements)], turn: impl Fn(Statements) -> Turn) {
        let words = self.key.len() - 1;
        for (claim, statements) in moves.iter().rev() {
            self.open.push(Pair { claim: *claim, turn: turn(*statements) });
            self.open_states.extend_from_slice(&self.key[..words]);
        }
    }

    /// Opens the pairs after the moves of the system. Where it has none, the claim goes on alone.
    fn system_moves(&mut self, claim: ClaimStateId, alone: u32) -> Result<(), Halt> {
        let words = self.key.len() - 1;
        let Search { machine, sections, unwatched, open, open_states, key, .. } = self;
        let first = open.len();
        let first_word = open_states.len();
        sections.visible_successors(machine, &key[..words], |next| {
            open.push(Pair { claim, turn: Turn::Claim });
            unwatched.add(next, open_states);
        })?;
        if open.len() > first {
            // What is open last comes first.
            let states: Vec<u64> = open_states.drain(first_word..).collect();
            states.rchunks_exact(words).for_each(|state| open_states.extend_from_slice(state));
            return Ok(());
        }
        if alone as usize > self.moves.len() {
            self.product.is_endless = true;
            return Ok(());
        }
        // SPIN stores what follows a statement of the claim, but not what follows an atomic section.
        let moves = self.claim_moves(claim)?;
        self.open_after(&moves, |statements| match statements {
            Statements::One => Turn::System,
            Statements::Several => Turn::Between(alone + 1),
        });
        Ok(())
    }
}
