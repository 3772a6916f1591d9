//! Every construct that systems are made of, and which of them a system has.
//!
//! Each kind is a match without a wildcard, from which the list of all constructs is made: what is new does not compile
//! before it is listed here, and is then missed where no random system has it.

use crate::names::names;
use std::collections::BTreeSet;
use system::{
    Binary, Choice, Claim, Domain, ExprId, Footprint, Motion, Node, Place, Process, PropertyId, Slice, System, Unary,
    WordSort,
};

names!(of_node, NODES, Node, {
    Node::Constant(_) => "constant",
    Node::Now(_) => "now",
    Node::Next(_) => "next",
    Node::Running(_) => "running",
    Node::Timeout => "timeout",
    Node::Unary(..) => "unary operator",
    Node::Binary(..) => "binary operator",
    Node::Ite(..) => "conditional",
    Node::Select { .. } => "element of a table",
    Node::Union(..) => "union",
    Node::Interval(..) => "interval",
    Node::Gap(_) => "gap",
});

names!(of_unary, UNARY, Unary, {
    Unary::Not => "not",
    Unary::Negate => "negate",
    Unary::Complement => "complement",
    Unary::Extract { .. } => "extract",
    Unary::Resize(_) => "resize",
    Unary::Reinterpret(_) => "reinterpret",
    Unary::ToInteger => "to integer",
    Unary::ToWord(_) => "to word",
    Unary::ToBoolean => "to boolean",
    Unary::BooleanToInteger => "boolean to integer",
    Unary::Truncate(_) => "truncate",
});

names!(of_binary, BINARY, Binary, {
    Binary::And => "and",
    Binary::Or => "or",
    Binary::Xor => "xor",
    Binary::Equal => "equal",
    Binary::Less => "less",
    Binary::LessEqual => "less or equal",
    Binary::Add => "add",
    Binary::Subtract => "subtract",
    Binary::Multiply => "multiply",
    Binary::Divide => "divide",
    Binary::Modulo => "modulo",
    Binary::BitAnd => "bitwise and",
    Binary::BitOr => "bitwise or",
    Binary::BitXor => "bitwise xor",
    Binary::Concat => "concatenation",
    Binary::ShiftLeft => "shift left",
    Binary::ShiftRight => "shift right",
});

names!(of_domain, DOMAINS, Domain, {
    Domain::Boolean => "boolean",
    Domain::Range { low: 0, .. } => "range from 0",
    Domain::Range { .. } => "range from elsewhere",
    Domain::Values(_) => "enumeration",
    Domain::Word(WordSort { signed: true, .. }) => "signed word",
    Domain::Word(WordSort { signed: false, .. }) => "unsigned word",
});

names!(of_motion, MOTIONS, Motion, {
    Motion::Kept => "kept variable",
    Motion::Free => "free variable",
    Motion::Defined => "defined variable",
    Motion::Input => "input",
});

names!(of_choice, CHOICES, Choice, {
    Choice::Exactly(_) => "exactly",
    Choice::OneOf(_) => "one of",
    Choice::Anything => "anything",
});

names!(of_place, PLACES, Place, {
    Place::Variable(_) => "variable written",
    Place::Element { .. } => "element written",
});

names!(of_claim, CLAIMS, Claim, {
    Claim::Invariant(_) => "invariant",
    Claim::DeadlockFree => "deadlock freedom",
    Claim::Ltl(_) => "LTL",
    Claim::Ctl(_) => "CTL",
    Claim::Compute(..) => "COMPUTE",
    Claim::Progress(_) => "progress",
    Claim::Never(_) => "never claim",
    Claim::Unsupported(_) => "unsupported claim",
});

/// What engines do not decide: no random system has to claim it.
const UNDECIDED: &[&str] = &["LTL", "CTL", "COMPUTE", "progress", "never claim", "unsupported claim"];

/// Constructs that are combinations of others, and what has them.
type Combination = (&'static str, fn(&System) -> bool);

const COMBINATIONS: &[Combination] = &[
    ("initial condition", |system| !system.initial.is_empty()),
    ("initial value that reads others", |system| {
        system.initial_values.iter().any(|update| reads(system, update.choice, |reads| !reads.now.is_empty()))
    }),
    ("constraint", |system| !system.constraints.is_empty()),
    ("relation", |system| !system.relations.is_empty()),
    ("relation of a command", |system| system.commands.iter().any(|command| command.relation.is_some())),
    ("rendezvous", |system| system.commands.iter().any(|command| command.partner.is_some())),
    ("atomic section", |system| system.has_atomic_sections),
    ("end point", |system| system.processes.iter().any(|process| process.points.iter().any(|point| point.end))),
    ("process without program counter", |system| system.processes.iter().any(|process| process.pc.is_none())),
    ("command from anywhere", |system| system.commands.iter().any(|command| command.owner.from.is_none())),
    ("enumerated program counter", |system| has_pc(system, |domain| matches!(domain, Domain::Values(_)))),
    ("boolean program counter", |system| has_pc(system, |domain| matches!(domain, Domain::Boolean))),
    ("word as program counter", |system| has_pc(system, |domain| matches!(domain, Domain::Word(_)))),
    ("integer program counter", |system| has_pc(system, |domain| matches!(domain, Domain::Range { .. }))),
    ("integer program counter not from 0", |system| {
        has_pc(system, |domain| matches!(domain, Domain::Range { low, .. } if *low != 0))
    }),
    ("program counter computed from an integer", |system| {
        system.processes.iter().any(|process| is_computed(system, process))
    }),
    ("program counter outside a cone", |system| {
        system.properties.indices().any(|property| has_pc_outside(system, property))
    }),
    ("running in a guard", |system| {
        system.commands.iter().any(|command| Footprint::of(&system.exprs, &[command.guard]).running)
    }),
    ("running in an update", |system| {
        let mut updates = system.commands.iter().flat_map(|command| &command.updates);
        updates.any(|update| reads(system, update.choice, |reads| reads.running))
    }),
    ("running in a relation", |system| {
        system.relations.iter().any(|relation| Footprint::of(&system.exprs, &[relation.holds]).running)
    }),
    ("update that reads new values", |system| {
        let mut updates = system.commands.iter().flat_map(|command| &command.updates);
        updates.any(|update| reads(system, update.choice, |reads| !reads.next.is_empty()))
    }),
    ("what can fail", |system| {
        let commands = &system.commands;
        commands.iter().any(|command| command.updates.iter().any(|update| can_fail(system, update.choice)))
    }),
];

fn reads(system: &System, choice: Choice, is_wanted: fn(&Footprint) -> bool) -> bool {
    match choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => is_wanted(&Footprint::of(&system.exprs, &[expr])),
        Choice::Anything => false,
    }
}

fn can_fail(system: &System, choice: Choice) -> bool {
    match choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => !system.exprs.is_total(expr),
        Choice::Anything => false,
    }
}

fn has_pc(system: &System, is_wanted: fn(&Domain) -> bool) -> bool {
    let mut pcs = system.processes.iter().filter_map(|process| process.pc);
    pcs.any(|pc| is_wanted(&system.variables[pc].domain))
}

/// Whether an update sends the program counter, an integer, where an integer that is no constant says.
fn is_computed(system: &System, process: &Process) -> bool {
    let Some(pc) = process.pc else { return false };
    let mut updates = system.commands.iter().flat_map(|command| &command.updates);
    matches!(system.variables[pc].domain, Domain::Range { .. })
        && updates.any(|update| {
            update.place == Place::Variable(pc) && reads(system, update.choice, |reads| !reads.now.is_empty())
        })
}

fn has_pc_outside(system: &System, property: PropertyId) -> bool {
    let slice = Slice::new(system, &[property], system::Apart::Kept);
    slice.is_some_and(|slice| system.processes.iter().filter_map(|process| process.pc).any(|pc| !slice.has(pc)))
}

/// All constructs that random systems have to have.
pub fn all() -> BTreeSet<&'static str> {
    let lists = [NODES, UNARY, BINARY, DOMAINS, MOTIONS, CHOICES, PLACES, CLAIMS];
    let listed = lists.into_iter().flatten().copied().filter(|name| !UNDECIDED.contains(name));
    listed.chain(COMBINATIONS.iter().map(|(name, _)| *name)).collect()
}

/// The constructs of a system.
pub fn constructs(system: &System) -> BTreeSet<&'static str> {
    let mut found = BTreeSet::new();
    for id in system.exprs.reachable(&expressions(system)) {
        let node = system.exprs.node(id);
        found.insert(of_node(node));
        match node {
            Node::Unary(op, _) => found.insert(of_unary(op)),
            Node::Binary(op, ..) => found.insert(of_binary(op)),
            _ => false,
        };
    }
    for variable in &system.variables {
        found.extend([of_domain(&variable.domain), of_motion(&variable.motion)]);
    }
    let updates = system.commands.iter().flat_map(|command| &command.updates).chain(&system.initial_values);
    for update in updates {
        found.extend([of_choice(&update.choice), of_place(&update.place)]);
    }
    found.extend(system.properties.iter().map(|property| of_claim(&property.claim)));
    found.extend(COMBINATIONS.iter().filter(|(_, has)| has(system)).map(|(name, _)| *name));
    found
}

/// The expressions that the meaning of a system depends on.
fn expressions(system: &System) -> Vec<ExprId> {
    let of_choice = |choice: Choice| match choice {
        Choice::Exactly(expr) | Choice::OneOf(expr) => Some(expr),
        Choice::Anything => None,
    };
    let conditions = system.initial.iter().chain(&system.constraints).chain(&system.relations);
    let mut exprs: Vec<ExprId> = conditions.map(|condition| condition.holds).collect();
    for command in &system.commands {
        exprs.push(command.guard);
        exprs.extend(command.relation);
    }
    let updates = system.commands.iter().flat_map(|command| &command.updates).chain(&system.initial_values);
    exprs.extend(updates.filter_map(|update| of_choice(update.choice)));
    exprs.extend(system.definitions.iter().filter_map(|definition| of_choice(definition.choice)));
    exprs.extend(system.properties.iter().filter_map(|property| match property.claim {
        Claim::Invariant(expr) => Some(expr),
        _ => None,
    }));
    exprs
}
