//! Flat code: what expressions are compiled to, and the loop that runs it.
//!
//! A program works on a file of registers in which the current state, the next state and the constants have
//! their fixed places (see [`Registers`]), so that reading a variable costs nothing.

use crate::definition::fault::Fault;
use crate::definition::ids::{GapId, ProcessId, VarId};
use crate::definition::op::{Binary, Unary};
use crate::definition::sort::Sort;
use crate::definition::value::Value;

/// A place in the register file.
pub type Register = u32;

/// The value that stands for "not known yet" while a plan prunes. No model computes it: integers and symbols stay
/// far away, and a signed word that could be it is treated as unknown, which prunes less and never wrongly.
pub const UNKNOWN: Value = Value::MIN;

/// The layout of the register file.
#[derive(Clone, Copy, Debug)]
pub struct Registers {
    variables: u32,
}

impl Registers {
    /// The layout for this many variables.
    pub fn new(variables: usize) -> Registers {
        Registers { variables: variables as u32 }
    }

    /// A variable in the current state.
    pub fn now(self, var: VarId) -> Register {
        var.raw()
    }

    /// A variable in the next state.
    pub fn next(self, var: VarId) -> Register {
        self.variables + var.raw()
    }

    /// The number of the process that makes the step.
    pub fn running(self) -> Register {
        2 * self.variables
    }

    /// Whether nothing else can move.
    pub fn timeout(self) -> Register {
        2 * self.variables + 1
    }

    /// The first constant.
    pub fn constants(self) -> Register {
        2 * self.variables + 2
    }
}

/// One instruction. `to` is where the result goes, or where a jump leads.
#[derive(Clone, Copy, Debug)]
pub enum Instruction {
    Copy { to: Register, a: Register },
    Not { to: Register, a: Register },
    And { to: Register, a: Register, b: Register },
    Or { to: Register, a: Register, b: Register },
    Xor { to: Register, a: Register, b: Register },
    Equal { to: Register, a: Register, b: Register },
    Less { to: Register, a: Register, b: Register },
    LessEqual { to: Register, a: Register, b: Register },
    Add { to: Register, a: Register, b: Register },
    Subtract { to: Register, a: Register, b: Register },
    Running { to: Register, process: ProcessId },
    Unary { to: Register, a: Register, op: u32 },
    Binary { to: Register, a: Register, b: Register, op: u32 },
    Select { to: Register, index: Register, table: u32 },
    Pick { to: Register, condition: Register, a: Register, b: Register },
    JumpIfFalse { condition: Register, to: u32 },
    JumpIfTrue { condition: Register, to: u32 },
    Jump { to: u32 },
    Emit { a: Register },
    EmitInterval { table: u32 },
    Gap { to: Register, gap: GapId },
}

impl Instruction {
    /// The registers that the instruction names, the elements of tables aside; where it has operands, they come after its result.
    #[inline]
    fn registers(&self) -> [Option<Register>; 4] {
        match *self {
            Instruction::Copy { to, a } | Instruction::Not { to, a } | Instruction::Unary { to, a, .. } => {
                [Some(to), Some(a), None, None]
            }
            Instruction::And { to, a, b }
            | Instruction::Or { to, a, b }
            | Instruction::Xor { to, a, b }
            | Instruction::Equal { to, a, b }
            | Instruction::Less { to, a, b }
            | Instruction::LessEqual { to, a, b }
            | Instruction::Add { to, a, b }
            | Instruction::Subtract { to, a, b }
            | Instruction::Binary { to, a, b, .. } => [Some(to), Some(a), Some(b), None],
            Instruction::Pick { to, condition, a, b } => [Some(to), Some(condition), Some(a), Some(b)],
            Instruction::Select { to, index, .. } => [Some(to), Some(index), None, None],
            Instruction::Running { to, .. } | Instruction::Gap { to, .. } => [Some(to), None, None, None],
            Instruction::JumpIfFalse { condition, .. } | Instruction::JumpIfTrue { condition, .. } => {
                [Some(condition), None, None, None]
            }
            Instruction::Emit { a } => [Some(a), None, None, None],
            Instruction::Jump { .. } | Instruction::EmitInterval { .. } => [None; 4],
        }
    }
}

/// The registers of an array's elements.
#[derive(Clone, Debug)]
pub struct Table {
    pub low: i64,
    pub elements: Box<[Register]>,
}

/// A compiled expression.
#[derive(Clone, Debug, Default)]
pub struct Program {
    pub code: Vec<Instruction>,
    /// Where the value is at the end; meaningless for a set, whose values are emitted.
    pub result: Register,
    /// How many registers the file must have for this program.
    pub registers: usize,
    pub unary: Vec<(Unary, Sort)>,
    pub binary: Vec<(Binary, Sort, Sort)>,
    pub tables: Vec<Table>,
    pub intervals: Vec<(i64, i64)>,
}

impl Program {
    /// Every register that running the program may look at.
    pub fn mentions(&self) -> impl Iterator<Item = Register> + '_ {
        let named = self.code.iter().flat_map(|instruction| instruction.registers().into_iter().flatten());
        let elements = self.tables.iter().flat_map(|table| table.elements.iter().copied());
        named.chain(elements).chain([self.result])
    }

    /// Runs the program; values of a set go to `emitted`. Counts the instructions that were executed.
    #[inline]
    pub fn run(
        &self,
        layout: Registers,
        registers: &mut [Value],
        emitted: &mut Vec<Value>,
        executed: &mut u64,
    ) -> Result<Value, Fault> {
        let mut count = 0;
        let outcome = self.run_counting(layout, registers, emitted, &mut count);
        *executed += count;
        outcome
    }

    /// The same with a counter that can stay in a register of the processor.
    #[inline(always)]
    fn run_counting(
        &self,
        layout: Registers,
        registers: &mut [Value],
        emitted: &mut Vec<Value>,
        count: &mut u64,
    ) -> Result<Value, Fault> {
        let mut at = 0;
        while let Some(instruction) = self.code.get(at) {
            at += 1;
            *count += 1;
            match *instruction {
                Instruction::JumpIfFalse { condition, to } if registers[condition as usize] == 0 => at = to as usize,
                Instruction::JumpIfTrue { condition, to } if registers[condition as usize] != 0 => at = to as usize,
                Instruction::JumpIfFalse { .. } | Instruction::JumpIfTrue { .. } => {}
                Instruction::Jump { to } => at = to as usize,
                Instruction::Emit { a } => emitted.push(registers[a as usize]),
                Instruction::EmitInterval { table } => {
                    let (low, high) = self.intervals[table as usize];
                    emitted.extend(low..=high);
                }
                Instruction::Gap { gap, .. } => return Err(Fault::Gap(gap)),
                other => self.compute(other, layout, registers)?,
            }
        }
        Ok(registers[self.result as usize])
    }

    #[inline(always)]
    fn compute(&self, instruction: Instruction, layout: Registers, registers: &mut [Value]) -> Result<(), Fault> {
        let get = |register: Register| registers[register as usize];
        let (to, value) = match instruction {
            Instruction::Copy { to, a } => (to, get(a)),
            Instruction::Not { to, a } => (to, 1 - get(a)),
            Instruction::And { to, a, b } => (to, get(a) & get(b)),
            Instruction::Or { to, a, b } => (to, get(a) | get(b)),
            Instruction::Xor { to, a, b } => (to, get(a) ^ get(b)),
            Instruction::Equal { to, a, b } => (to, Value::from(get(a) == get(b))),
            Instruction::Less { to, a, b } => (to, Value::from(get(a) < get(b))),
            Instruction::LessEqual { to, a, b } => (to, Value::from(get(a) <= get(b))),
            Instruction::Add { to, a, b } => (to, get(a).wrapping_add(get(b))),
            Instruction::Subtract { to, a, b } => (to, get(a).wrapping_sub(get(b))),
            Instruction::Running { to, process } => {
                (to, Value::from(get(layout.running()) == Value::from(process.raw())))
            }
            Instruction::Pick { to, condition, a, b } => (to, if get(condition) != 0 { get(a) } else { get(b) }),
            Instruction::Unary { to, a, op } => {
                let (op, sort) = self.unary[op as usize];
                (to, op.apply(sort, get(a))?)
            }
            Instruction::Binary { to, a, b, op } => {
                let (op, left, right) = self.binary[op as usize];
                (to, op.apply(left, right, get(a), get(b))?)
            }
            Instruction::Select { to, index, table } => {
                let element = self.element(table, get(index)).ok_or(Fault::IndexOutOfBounds)?;
                (to, get(element))
            }
            Instruction::JumpIfFalse { .. }
            | Instruction::JumpIfTrue { .. }
            | Instruction::Jump { .. }
            | Instruction::Emit { .. }
            | Instruction::EmitInterval { .. }
            | Instruction::Gap { .. } => return Ok(()),
        };
        registers[to as usize] = value;
        Ok(())
    }

    fn element(&self, table: u32, index: Value) -> Option<Register> {
        let table = &self.tables[table as usize];
        let at = usize::try_from(index.checked_sub(table.low)?).ok()?;
        table.elements.get(at).copied()
    }

    /// Runs straight code (compiled without jumps) where some registers are [`UNKNOWN`], in Kleene's logic.
    /// What would fail is unknown.
    pub fn run_partially(&self, layout: Registers, registers: &mut [Value]) -> Value {
        for instruction in &self.code {
            let get = |register: Register| registers[register as usize];
            let (to, value) = match *instruction {
                Instruction::Gap { to, .. } => (to, UNKNOWN),
                Instruction::Copy { to, a } => (to, get(a)),
                Instruction::And { to, a, b } if get(a) == 0 || get(b) == 0 => (to, 0),
                Instruction::Or { to, a, b } if get(a) == 1 || get(b) == 1 => (to, 1),
                Instruction::Pick { to, condition, a, b } => match get(condition) {
                    UNKNOWN if get(a) == get(b) => (to, get(a)),
                    UNKNOWN => (to, UNKNOWN),
                    0 => (to, get(b)),
                    _ => (to, get(a)),
                },
                Instruction::Select { to, index, table } => {
                    let element = self.element(table, get(index));
                    (to, element.map_or(UNKNOWN, get))
                }
                other => match other.registers() {
                    [Some(to), operands @ ..] if operands.into_iter().flatten().any(|a| get(a) == UNKNOWN) => {
                        (to, UNKNOWN)
                    }
                    _ => {
                        if self.compute(other, layout, registers).is_err()
                            && let Instruction::Unary { to, .. } | Instruction::Binary { to, .. } = other
                        {
                            registers[to as usize] = UNKNOWN;
                        }
                        continue;
                    }
                },
            };
            registers[to as usize] = value;
        }
        registers[self.result as usize]
    }
}
