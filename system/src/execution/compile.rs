//! From expressions to flat code.
//!
//! The compiler walks an expression with a stack of its own, so that depth costs memory and nothing else. What is
//! computed once is reused where it is sure to have been computed: inside a branch, its results are forgotten at
//! the branch's end.

use super::code::{Instruction, Program, Register, Registers, Table};
use crate::definition::expr::{Exprs, Node};
use crate::definition::ids::ExprId;
use crate::definition::op::{Binary, Unary};
use crate::definition::sort::Sort;
use crate::definition::value::Value;
use rustc_hash::FxHashMap;

/// In which state an expression reads its variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Frame {
    /// As written: `Now` is the current state.
    Current,
    /// One step later: `Now` is the next state.
    Following,
}

/// How branches are compiled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Branches {
    /// By jumps: what is not chosen is not evaluated.
    Lazy,
    /// Both sides, then a choice: for running with unknown values.
    Straight,
}

/// The fixed places of a system's constants and the first register that programs may use.
#[derive(Clone, Debug)]
pub struct Constants {
    places: FxHashMap<Value, Register>,
    /// The constants in order of their registers.
    pub values: Vec<Value>,
    layout: Registers,
}

impl Constants {
    /// Collects every constant of the arena, and the truth values.
    pub fn new(exprs: &Exprs, layout: Registers) -> Constants {
        let mut constants = Constants { places: FxHashMap::default(), values: Vec::new(), layout };
        for index in 0..exprs.len() {
            if let Node::Constant(value) = *exprs.node(ExprId::from(index)) {
                constants.add(value);
            }
        }
        [0, 1].into_iter().for_each(|value| constants.add(value));
        constants
    }

    fn add(&mut self, value: Value) {
        let next = self.end();
        if *self.places.entry(value).or_insert(next) == next {
            self.values.push(value);
        }
    }

    /// Whether every constant inside an expression has its place.
    pub fn have_all_of(&self, exprs: &Exprs, root: ExprId) -> bool {
        let inside = exprs.reachable(&[root]);
        inside.into_iter().filter_map(|id| exprs.constant_value(id)).all(|value| self.places.contains_key(&value))
    }

    /// The first register behind the constants.
    pub fn end(&self) -> Register {
        self.layout.constants() + self.values.len() as Register
    }
}

/// Compiles an expression with a single value, or a set whose values are emitted.
pub fn compile(exprs: &Exprs, constants: &Constants, root: ExprId, frame: Frame) -> Program {
    let mut compiler = Compiler::new(exprs, constants, frame, Branches::Lazy);
    compiler.tasks.push(if exprs.is_set(root) { Task::VisitSet(root) } else { Task::Visit(root) });
    compiler.finish(root)
}

/// Compiles a condition for running with unknown values.
pub fn compile_straight(exprs: &Exprs, constants: &Constants, root: ExprId, frame: Frame) -> Program {
    let mut compiler = Compiler::new(exprs, constants, frame, Branches::Straight);
    compiler.tasks.push(Task::Visit(root));
    compiler.finish(root)
}

/// Compiles a choice whose values are emitted, even if there is only one.
pub fn compile_choice(exprs: &Exprs, constants: &Constants, root: ExprId, frame: Frame) -> Program {
    let mut compiler = Compiler::new(exprs, constants, frame, Branches::Lazy);
    compiler.tasks.push(Task::VisitSet(root));
    compiler.finish(root)
}

/// What remains to be done, last in first out.
enum Task {
    Visit(ExprId),
    VisitSet(ExprId),
    Operate(ExprId),
    EmitValue(ExprId),
    /// The left operand of a short circuit is there: skip the right one if it decides.
    ShortCircuit(ExprId, Register),
    EndShortCircuit(ExprId, Register),
    Then(ExprId),
    Else(ExprId, Option<Register>),
    EndIf(ExprId, Option<Register>),
}

struct Compiler<'a> {
    exprs: &'a Exprs,
    constants: &'a Constants,
    frame: Frame,
    branches: Branches,
    program: Program,
    tasks: Vec<Task>,
    /// Where the values computed so far are.
    places: FxHashMap<ExprId, Register>,
    /// The expressions computed in the open branches, and where each branch began.
    computed: Vec<ExprId>,
    open: Vec<usize>,
    /// Jumps that wait for their goal.
    jumps: Vec<usize>,
    next_register: Register,
}

impl<'a> Compiler<'a> {
    fn new(exprs: &'a Exprs, constants: &'a Constants, frame: Frame, branches: Branches) -> Self {
        Compiler {
            exprs,
            constants,
            frame,
            branches,
            program: Program::default(),
            tasks: Vec::new(),
            places: FxHashMap::default(),
            computed: Vec::new(),
            open: Vec::new(),
            jumps: Vec::new(),
            next_register: constants.end(),
        }
    }

    fn finish(mut self, root: ExprId) -> Program {
        while let Some(task) = self.tasks.pop() {
            self.perform(task);
        }
        self.program.registers = self.next_register as usize;
        self.program.result = self.places.get(&root).copied().unwrap_or_default();
        self.program
    }

    fn perform(&mut self, task: Task) {
        match task {
            Task::Visit(id) => self.visit(id),
            Task::VisitSet(id) => self.visit_set(id),
            Task::Operate(id) => self.operate(id),
            Task::EmitValue(id) => {
                let a = self.places[&id];
                self.program.code.push(Instruction::Emit { a });
            }
            Task::ShortCircuit(id, to) => self.short_circuit(id, to),
            Task::EndShortCircuit(id, to) => {
                let Node::Binary(_, _, right) = *self.exprs.node(id) else { return };
                let a = self.places[&right];
                self.program.code.push(Instruction::Copy { to, a });
                self.close_branch();
                self.land();
                self.place(id, to);
            }
            Task::Then(id) => self.begin_then(id),
            Task::Else(id, to) => self.begin_else(id, to),
            Task::EndIf(id, to) => {
                let Node::Ite(_, _, otherwise) = *self.exprs.node(id) else { return };
                if let Some(to) = to {
                    let a = self.places[&otherwise];
                    self.program.code.push(Instruction::Copy { to, a });
                }
                self.close_branch();
                self.land();
                if let Some(to) = to {
                    self.place(id, to);
                }
            }
        }
    }

    fn visit(&mut self, id: ExprId) {
        if self.places.contains_key(&id) {
            return;
        }
        let layout = self.constants.layout;
        match self.exprs.node(id) {
            Node::Constant(value) => self.place(id, self.constants.places[value]),
            Node::Now(var) if self.frame == Frame::Current => self.place(id, layout.now(*var)),
            Node::Now(var) | Node::Next(var) => self.place(id, layout.next(*var)),
            Node::Timeout => self.place(id, layout.timeout()),
            Node::Binary(Binary::And | Binary::Or, left, right) if self.is_lazy(*right) => {
                let to = self.fresh();
                self.tasks.extend([
                    Task::EndShortCircuit(id, to),
                    Task::Visit(*right),
                    Task::ShortCircuit(id, to),
                    Task::Visit(*left),
                ]);
            }
            Node::Ite(condition, ..) if self.branches == Branches::Lazy => {
                self.tasks.extend([Task::Then(id), Task::Visit(*condition)]);
            }
            _ => {
                self.tasks.push(Task::Operate(id));
                self.exprs.for_each_child(id, |child| self.tasks.push(Task::Visit(child)));
            }
        }
    }

    /// Whether jumping over the right operand is worth it, or needed because it can fail.
    fn is_lazy(&self, right: ExprId) -> bool {
        if self.branches == Branches::Straight {
            return false;
        }
        let is_cheap = match self.exprs.node(right) {
            Node::Unary(Unary::Not, a) => self.is_leaf(*a),
            Node::Binary(Binary::Equal | Binary::Less | Binary::LessEqual, a, b) => {
                self.is_leaf(*a) && self.is_leaf(*b)
            }
            _ => self.is_leaf(right),
        };
        !(is_cheap && self.exprs.is_total(right))
    }

    fn is_leaf(&self, id: ExprId) -> bool {
        matches!(self.exprs.node(id), Node::Now(_) | Node::Next(_) | Node::Constant(_))
    }

    fn visit_set(&mut self, id: ExprId) {
        match self.exprs.node(id) {
            Node::Union(a, b) => self.tasks.extend([Task::VisitSet(*b), Task::VisitSet(*a)]),
            Node::Interval(low, high) => {
                let table = self.program.intervals.len() as u32;
                self.program.intervals.push((*low, *high));
                self.program.code.push(Instruction::EmitInterval { table });
            }
            Node::Ite(condition, ..) if self.exprs.is_set(id) => {
                self.tasks.extend([Task::Then(id), Task::Visit(*condition)]);
            }
            _ => self.tasks.extend([Task::EmitValue(id), Task::Visit(id)]),
        }
    }

    fn short_circuit(&mut self, id: ExprId, to: Register) {
        let Node::Binary(op, left, _) = *self.exprs.node(id) else { return };
        let condition = self.places[&left];
        self.program.code.push(Instruction::Copy { to, a: condition });
        self.jumps.push(self.program.code.len());
        self.program.code.push(match op {
            Binary::And => Instruction::JumpIfFalse { condition, to: 0 },
            _ => Instruction::JumpIfTrue { condition, to: 0 },
        });
        self.open.push(self.computed.len());
    }

    fn begin_then(&mut self, id: ExprId) {
        let Node::Ite(condition, then, _) = *self.exprs.node(id) else { return };
        let to = (!self.exprs.is_set(id)).then(|| self.fresh());
        let condition = self.places[&condition];
        self.jumps.push(self.program.code.len());
        self.program.code.push(Instruction::JumpIfFalse { condition, to: 0 });
        self.open.push(self.computed.len());
        self.tasks.extend([Task::Else(id, to), branch(then, to)]);
    }

    fn begin_else(&mut self, id: ExprId, to: Option<Register>) {
        let Node::Ite(_, then, otherwise) = *self.exprs.node(id) else { return };
        if let Some(to) = to {
            let a = self.places[&then];
            self.program.code.push(Instruction::Copy { to, a });
        }
        let end = self.program.code.len();
        self.program.code.push(Instruction::Jump { to: 0 });
        self.close_branch();
        self.land();
        self.jumps.push(end);
        self.open.push(self.computed.len());
        self.tasks.extend([Task::EndIf(id, to), branch(otherwise, to)]);
    }

    fn operate(&mut self, id: ExprId) {
        if self.places.contains_key(&id) {
            return;
        }
        let to = self.fresh();
        let instruction = match self.exprs.node(id) {
            Node::Unary(Unary::Not, a) => Instruction::Not { to, a: self.places[a] },
            Node::Unary(op, a) => {
                self.program.unary.push((*op, self.exprs.sort(*a)));
                Instruction::Unary { to, a: self.places[a], op: self.program.unary.len() as u32 - 1 }
            }
            Node::Binary(op, a, b) => self.binary(to, *op, *a, *b),
            Node::Ite(condition, a, b) => {
                let [condition, a, b] = [condition, a, b].map(|part| self.places[part]);
                Instruction::Pick { to, condition, a, b }
            }
            Node::Select { index, low, elements } => {
                let elements = elements.iter().map(|element| self.places[element]).collect();
                self.program.tables.push(Table { low: *low, elements });
                Instruction::Select { to, index: self.places[index], table: self.program.tables.len() as u32 - 1 }
            }
            Node::Running(process) => Instruction::Running { to, process: *process },
            Node::Gap(gap) => Instruction::Gap { to, gap: *gap },
            leaf => unreachable!("{leaf:?} is placed when it is visited, and sets are emitted"),
        };
        self.program.code.push(instruction);
        self.place(id, to);
    }

    fn binary(&mut self, to: Register, op: Binary, left: ExprId, right: ExprId) -> Instruction {
        let (a, b) = (self.places[&left], self.places[&right]);
        let (from, with) = (self.exprs.sort(left), self.exprs.sort(right));
        let scalar = !matches!(from, Sort::Word(_));
        match op {
            Binary::And => Instruction::And { to, a, b },
            Binary::Or => Instruction::Or { to, a, b },
            Binary::Xor => Instruction::Xor { to, a, b },
            Binary::Equal => Instruction::Equal { to, a, b },
            Binary::Less if scalar => Instruction::Less { to, a, b },
            Binary::LessEqual if scalar => Instruction::LessEqual { to, a, b },
            Binary::Add if scalar && !op.can_fail(from, with) => Instruction::Add { to, a, b },
            Binary::Subtract if scalar && !op.can_fail(from, with) => Instruction::Subtract { to, a, b },
            _ => {
                self.program.binary.push((op, from, with));
                Instruction::Binary { to, a, b, op: self.program.binary.len() as u32 - 1 }
            }
        }
    }

    fn place(&mut self, id: ExprId, register: Register) {
        self.places.insert(id, register);
        self.computed.push(id);
    }

    fn fresh(&mut self) -> Register {
        self.next_register += 1;
        self.next_register - 1
    }

    /// Forgets what the innermost branch computed: it may not have run.
    fn close_branch(&mut self) {
        let start = self.open.pop().unwrap_or_default();
        for id in self.computed.drain(start..) {
            self.places.remove(&id);
        }
    }

    /// Lets the innermost waiting jump lead here.
    fn land(&mut self) {
        let here = self.program.code.len() as u32;
        if let Some(jump) = self.jumps.pop() {
            match &mut self.program.code[jump] {
                Instruction::JumpIfFalse { to, .. } | Instruction::JumpIfTrue { to, .. } | Instruction::Jump { to } => {
                    *to = here
                }
                other => unreachable!("{other:?} is no jump"),
            }
        }
    }
}

fn branch(id: ExprId, to: Option<Register>) -> Task {
    if to.is_some() { Task::Visit(id) } else { Task::VisitSet(id) }
}
