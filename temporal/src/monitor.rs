//! Monitors: what is known of the present and the past, and what has to be remembered of them.
//!
//! The value of a past operator follows from the present values of its operands and from one bit that says how it was a step
//! before. So a formula that says nothing about the future is as good as an atom.

use super::Refusal;
use super::arena::{Arena, Node, NodeId};
use rustc_hash::FxHashMap;
use system::ExprId;

/// Values of formulas in one state, a bit each.
pub type Letter = u64;

/// How a value is found from others.
#[derive(Clone, Copy, Debug)]
enum Cell {
    Constant(bool),
    Atom(u32),
    NotAtom(u32),
    And(u32, u32),
    Or(u32, u32),
    /// Y and Z: what was remembered; the operand is remembered next.
    Before(u32),
    Since(u32, u32),
    Triggered(u32, u32),
}

/// Reads formulas without future operators, state by state.
#[derive(Clone, Debug)]
pub struct Monitor {
    atoms: Vec<ExprId>,
    cells: Vec<Cell>,
    /// For each cell that remembers, its bit.
    bits: Vec<Option<u32>>,
    /// Which cells are asked for, in order.
    wanted: Vec<u32>,
    beginning: u32,
    values: Vec<bool>,
}

impl Monitor {
    /// A monitor for some formulas, none of which says anything about the future.
    pub fn new(arena: &Arena, wanted: &[NodeId]) -> Result<Monitor, Refusal> {
        let mut monitor = Monitor {
            atoms: Vec::new(),
            cells: Vec::new(),
            bits: Vec::new(),
            wanted: Vec::new(),
            beginning: 0,
            values: Vec::new(),
        };
        let mut places: FxHashMap<NodeId, u32> = FxHashMap::default();
        for root in wanted {
            let parts = arena.parts(*root);
            for part in parts {
                let next = monitor.cells.len() as u32;
                if *places.entry(part).or_insert(next) == next {
                    monitor.add(arena.get(part), &places)?;
                }
            }
            monitor.wanted.push(places[root]);
        }
        if wanted.len() > Letter::BITS as usize || monitor.atoms.len() > Letter::BITS as usize {
            return Err(format!("the formula speaks of more than {} conditions", Letter::BITS));
        }
        monitor.values = vec![false; monitor.cells.len()];
        Ok(monitor)
    }

    fn add(&mut self, node: Node, places: &FxHashMap<NodeId, u32>) -> Result<(), Refusal> {
        let of = |part: NodeId| places[&part];
        let cell = match node {
            Node::True => Cell::Constant(true),
            Node::False => Cell::Constant(false),
            Node::Atom(expr) => Cell::Atom(self.atom(expr)),
            Node::NotAtom(expr) => Cell::NotAtom(self.atom(expr)),
            Node::And(a, b) => Cell::And(of(a), of(b)),
            Node::Or(a, b) => Cell::Or(of(a), of(b)),
            Node::Yesterday(a) | Node::WeakYesterday(a) => Cell::Before(of(a)),
            Node::Since(a, b) => Cell::Since(of(a), of(b)),
            Node::Triggered(a, b) => Cell::Triggered(of(a), of(b)),
            Node::Next(_) | Node::Until(..) | Node::Releases(..) => {
                return Err("the formula asks a monitor about the future".to_owned());
            }
        };
        let bit = if node.is_past() { Some(self.remember(node)?) } else { None };
        self.cells.push(cell);
        self.bits.push(bit);
        Ok(())
    }

    fn atom(&mut self, expr: ExprId) -> u32 {
        let known = self.atoms.iter().position(|atom| *atom == expr);
        let place = known.unwrap_or_else(|| {
            self.atoms.push(expr);
            self.atoms.len() - 1
        });
        place as u32
    }

    /// A new bit. The weak operators begin as if they had held for ever.
    fn remember(&mut self, node: Node) -> Result<u32, Refusal> {
        let bit = self.bits.iter().flatten().count() as u32;
        if bit == u32::BITS {
            return Err(format!("the formula has more than {bit} past operators"));
        }
        if matches!(node, Node::WeakYesterday(_) | Node::Triggered(..)) {
            self.beginning |= 1 << bit;
        }
        Ok(bit)
    }

    /// The atoms that it reads; a bit each of what [`Monitor::read`] gets.
    pub fn atoms(&self) -> &[ExprId] {
        &self.atoms
    }

    /// What it remembers before the first state.
    pub fn beginning(&self) -> u32 {
        self.beginning
    }

    /// The values of the formulas where the atoms have some values, and what is to be remembered afterwards.
    pub fn read(&mut self, atoms: Letter, memory: u32) -> (Letter, u32) {
        let mut next = 0;
        for (at, cell) in self.cells.iter().enumerate() {
            let values = &self.values;
            let of = |cell: u32| values[cell as usize];
            let before = self.bits[at].is_some_and(|bit| memory >> bit & 1 == 1);
            let value = match *cell {
                Cell::Constant(value) => value,
                Cell::Atom(atom) => atoms >> atom & 1 == 1,
                Cell::NotAtom(atom) => atoms >> atom & 1 == 0,
                Cell::And(a, b) => of(a) && of(b),
                Cell::Or(a, b) => of(a) || of(b),
                Cell::Before(_) => before,
                Cell::Since(a, b) => of(b) || of(a) && before,
                Cell::Triggered(a, b) => of(b) && (of(a) || before),
            };
            let remembered = if let Cell::Before(a) = *cell { of(a) } else { value };
            if let Some(bit) = self.bits[at].filter(|_| remembered) {
                next |= 1 << bit;
            }
            self.values[at] = value;
        }
        let letter = self.wanted.iter().enumerate();
        (letter.fold(0, |letter, (bit, cell)| letter | Letter::from(self.values[*cell as usize]) << bit), next)
    }
}
