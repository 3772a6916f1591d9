//! The table of §6 of \[GP93\]: a protocol over FIFO channels, searched without reduction, with unrefined dependencies and
//! with refined ones. This protocol, whose size can be chosen, has the build of the paper's: three processes in a ring of
//! channels, with local work between the messages and a window for what is not acknowledged. One of the paper's, DTP, is
//! among SPIN's examples (`cli/spin.rs`).

use explicit::{Keeping, Options, Order, Reduction, Sets, run};
use limits::Handle;
use std::fmt::Write;
use std::sync::Arc;
use system::{Machine, Program, PropertyId, Refinement, System};

/// A producer sends messages to a relay, which passes them on to a consumer, which acknowledges them to the producer.
/// Each channel has room for `capacity` messages, and the producer waits when `window` of them are not acknowledged.
pub fn protocol(capacity: u32, window: i64) -> System {
    let mut program = Program::default();
    let [data, passed, acks] = ["data", "passed", "acks"].map(|name| program.channel(name, capacity, 2));
    let always = program.always();

    let producer = program.process("producer", 4, &[]);
    let [message, open] =
        [("message", 2, 1), ("open", window, 0)].map(|(n, high, first)| program.number(n, high, first));
    for kind in 1..=2 {
        let (is_it, other) = (program.equals(message, kind), program.set(message, 3 - kind));
        program.command(producer, 0, 1, is_it, vec![other]);
    }
    let content = program.now(message);
    let (room, send) = program.send(data, content);
    program.command(producer, 1, 2, room, send);
    let (may_go_on, count) = (program.is_less(open, window), program.add(open, 1));
    program.command(producer, 2, 0, may_go_on, vec![count]);
    let (mail, receive) = program.receive(acks, None);
    program.command(producer, 2, 3, mail, receive);
    let (is_open, discount) = (program.is_more(open, 0), program.add(open, -1));
    program.command(producer, 3, 2, is_open, vec![discount]);
    let none_open = program.equals(open, 0);
    program.command(producer, 3, 0, none_open, vec![]);

    for (name, inlet, outlet) in [("relay", data, passed), ("consumer", passed, acks)] {
        let process = program.process(name, 4, &[]);
        let held = program.number(&format!("{name}.held"), 2, 0);
        let (mail, receive) = program.receive(inlet, Some(held));
        program.command(process, 0, 1, mail, receive);
        program.command(process, 1, 2, always, vec![]);
        let content = program.now(held);
        let (room, send) = program.send(outlet, content);
        program.command(process, 2, 3, room, send);
        let clear = program.set(held, 0);
        program.command(process, 3, 0, always, vec![clear]);
    }
    program.system
}

/// States and steps of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// The most states stored at a time.
    pub stored: usize,
    /// States visited; those that were not kept count again.
    pub states: usize,
    /// Steps made.
    pub transitions: u64,
}

/// The three algorithms of the paper, and the third without storing states where a single step leads on.
pub const ALGORITHMS: [&str; 4] = [
    "no reduction",
    "unrefined dependencies",
    "refined dependencies",
    "refined dependencies; only branching states stored",
];

/// Searches a system without reduction, with unrefined and with refined dependencies (Algo 1, 2 and 3 of the paper), and so
/// that fewer states are stored. Nothing if running it fails.
pub fn sizes_of(machine: &Machine, properties: &[PropertyId]) -> Option<[Size; 4]> {
    let size = |reduction: Reduction, keeping: Keeping| {
        let options = Options { order: Order::DepthFirst, reduction, keeping, ..Options::default() };
        let found = run(machine, properties, &options, &mut Handle::default()).without_fault().ok()?;
        let stored = found.cost.replacement.map_or(found.states(), |cost| cost.stored);
        Some(Size { stored, states: found.states(), transitions: found.cost.transitions })
    };
    let (unrefined, refined) = (both(Refinement::Accesses), both(Refinement::Operations));
    Some([
        size(Reduction::default(), Keeping::Everything)?,
        size(unrefined, Keeping::Everything)?,
        size(refined, Keeping::Everything)?,
        size(refined, Keeping::Branching)?,
    ])
}

fn both(refinement: Refinement) -> Reduction {
    Reduction { sets: Sets::Both, refinement }
}

/// The same for our protocol.
pub fn sizes(capacity: u32, window: i64) -> [Size; 4] {
    let machine = Machine::new(Arc::new(protocol(capacity, window)));
    let Some(sizes) = sizes_of(&machine, &[]) else { unreachable!("counts stay inside the window") };
    sizes
}

/// The table as comma-separated values, for channels of up to `most` messages and windows of twice
/// as many.
pub fn table(most: u32) -> String {
    let mut table = "capacity,algorithm,stored states,visited,transitions\n".to_owned();
    for capacity in 1..=most {
        for (name, Size { stored, states, transitions }) in
            ALGORITHMS.into_iter().zip(sizes(capacity, 2 * i64::from(capacity)))
        {
            let _ = writeln!(table, "{capacity},{name},{stored},{states},{transitions}");
        }
    }
    table
}
