//! §3 of \[JJ91\]: on-line checking against deterministic Büchi automata, in less and less memory.

use check::{Error, Language, Model};
use explicit::{Obstacle, OnLine, Room, check_on_line};
use limits::Handle;
use system::{Halt, PropertyId};

/// Programs in `models/liveness` and formulas with deterministic automata.
const FORMULAS: [(&str, &str); 5] = [
    ("ring-4", "elected_at_last"),
    ("ticket-3", "in_turn"),
    ("ticket-3", "again"),
    ("semaphore-3", "passed_on"),
    ("delivery", "in_step"),
];

/// How much of the memory that all states take is left, in percent.
const SHARES: [usize; 5] = [100, 80, 60, 40, 20];

/// Insertions are not counted beyond this many for each state.
const MOST: usize = 20;

/// The table in comma-separated values.
pub fn table() -> Result<String, Error> {
    let mut table = "program,formula,share of memory in percent,verdict,insertions,insertions per state\n".to_owned();
    for (program, formula) in FORMULAS {
        let path = format!("models/liveness/{program}.pml");
        let text = std::fs::read_to_string(&path).map_err(|error| Error::Usage(format!("{path}: {error}")))?;
        let model = Model::parse(&text, Language::Promela)?;
        let whole = on_line(&model, formula, Room { states: usize::MAX, insertions: usize::MAX })?;
        let all = whole.map_or(1, |whole| whole.insertions);
        for share in SHARES {
            let room = Room { states: all * share / 100, insertions: all * MOST };
            let (verdict, insertions, each) = match on_line(&model, formula, room)? {
                Some(found) => {
                    let each = found.insertions as f64 / all as f64;
                    let verdict = if found.violation.is_some() { "violated" } else { "holds" };
                    (verdict, found.insertions.to_string(), format!("{each:.2}"))
                }
                None => ("too little memory", String::new(), String::new()),
            };
            table += &format!("{program},{formula},{share},{verdict},{insertions},{each}\n");
        }
    }
    Ok(table)
}

/// Checks a formula with some states stored; `None` if there is too little room.
fn on_line(model: &Model, formula: &str, room: Room) -> Result<Option<OnLine>, Error> {
    let properties = &model.machine.system().properties;
    let property: Option<PropertyId> = properties.position(|property| property.name == formula);
    let property = property.ok_or_else(|| Error::Usage(format!("there is no formula {formula}")))?;
    match check_on_line(&model.machine, property, room, 1, &mut Handle::default()) {
        Ok(found) => Ok(Some(found)),
        Err(Obstacle::Memory) => Ok(None),
        Err(Obstacle::Refused(why)) => Err(Error::Usage(format!("{formula}: {why}"))),
        Err(Obstacle::Halt(Halt::Interrupted)) => Ok(None),
        Err(Obstacle::Halt(Halt::Failed(_))) => Err(Error::Usage(format!("{formula}: the model has a fault"))),
    }
}
