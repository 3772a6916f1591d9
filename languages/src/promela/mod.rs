//! The Promela front end: reads what SPIN reads, and means what SPIN means.

pub mod ast;
pub mod codes;
mod cpp;
pub mod flow;
pub mod ids;
mod lexer;
mod lower;
mod parse;
mod room;
mod token;
pub mod trail;

pub use cpp::{Included, Reader};

use crate::define::Define;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Source;
use ast::Ast;
use lower::Lowered;
use room::Room;
use std::ops::Range;
use system::{Alarm, Span, System};
use trail::Trail;

/// What the file of invariants of the command line is called.
const INVARIANT: &str = "--invariant";

/// The stack for reading a model. It is enough for the deepest nesting that the parser takes, many times over, and costs
/// nothing where it is not used.
const STACK: usize = 256 << 20;

/// A model that was read, with what there is to say about it.
pub struct Loaded {
    /// The system, unless the model is wrong or reading had to end.
    pub system: Option<System>,
    /// How SPIN names the steps of the system, unless the model is wrong.
    pub trail: Option<Trail>,
    /// Errors and warnings.
    pub diagnostics: Diagnostics,
}

/// What is said about a model outside its text.
#[derive(Clone, Copy, Debug, Default)]
pub struct Settings<'a> {
    /// Macros, which the model sees before its first line.
    pub defines: &'a [Define],
    /// Expressions over the global variables, each of which becomes a property.
    pub invariants: &'a [String],
    /// Conditions with a name each, which become formulas without temporal operators.
    pub predicates: &'a [Define],
    /// Says when reading has to end.
    pub alarm: Option<&'a Alarm>,
}

/// Reads a model: preprocess, parse, then lower. `reader` finds included files.
pub fn load(source: &mut Source, settings: Settings<'_>, reader: Reader<'_>) -> Loaded {
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new().stack_size(STACK);
        match thread.spawn_scoped(scope, || read(source, settings, reader)) {
            Ok(reading) => reading.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
            Err(_) => {
                let mut diagnostics = Diagnostics::default();
                let message = "there is not enough memory to read the model";
                diagnostics.push(Diagnostic::error(codes::TOO_LARGE, Span::default(), message));
                Loaded { system: None, trail: None, diagnostics }
            }
        }
    })
}

fn read(source: &mut Source, settings: Settings<'_>, reader: Reader<'_>) -> Loaded {
    let mut loaded = understand(source, settings, reader);
    if loaded.diagnostics.is_rejected() {
        source.conceal();
        loaded.diagnostics.conceal(source, codes::ALL);
    }
    loaded
}

fn understand(source: &mut Source, settings: Settings<'_>, reader: Reader<'_>) -> Loaded {
    let (ast, diagnostics) = syntax(source, settings, reader);
    if diagnostics.is_rejected() {
        return Loaded { system: None, trail: None, diagnostics };
    }
    let (lowered, diagnostics) = with_room(&ast, source, diagnostics);
    let (system, trail) = lowered.map(|lowered| (lowered.system, lowered.trail)).unzip();
    Loaded { system, trail, diagnostics }
}

/// The syntax tree of a model: preprocess, then parse. It needs a stack for the deepest nesting that the parser takes.
pub fn syntax(source: &mut Source, settings: Settings<'_>, reader: Reader<'_>) -> (Ast, Diagnostics) {
    let mut diagnostics = Diagnostics::until(settings.alarm.cloned().unwrap_or_default());
    let blocks = settings.invariants.iter().enumerate().map(|(number, text)| Block::new(number, text));
    let blocks: Vec<Block> = blocks.collect();
    let invariants = blocks.iter().map(|block| (INVARIANT.to_owned(), block.text.clone()));
    let predicates = settings.predicates.iter().map(|Define { name, value }| {
        let text = value.as_deref().unwrap_or("true");
        ("--automaton".to_owned(), format!("ltl {name} {{ ({text}) }}"))
    });
    let extra: Vec<(String, String)> = invariants.chain(predicates).collect();
    let tokens = cpp::preprocess(source, settings.defines, &extra, reader, &mut diagnostics);
    let mut ast = parse::parse(tokens, &mut diagnostics);
    for formula in ast.formulas.iter_mut().filter(|formula| source.file(formula.span) == INVARIANT) {
        if let Some(block) = blocks.iter().find(|block| block.text == source.slice(formula.span)) {
            formula.span = block.invariant_in(formula.span);
        }
    }
    (ast, diagnostics)
}

/// The `ltl` block that an invariant of the command line is read as.
struct Block {
    text: String,
    /// Where the invariant is in it.
    invariant: Range<u32>,
}

impl Block {
    fn new(number: usize, invariant: &str) -> Block {
        let before = format!("ltl invariant_{} {{ [] (", number + 1);
        let (start, end) = (before.len() as u32, (before.len() + invariant.len()) as u32);
        Block { text: format!("{before}{invariant}) }}"), invariant: start..end }
    }

    /// The place of what the user wrote, if the block is at a place.
    fn invariant_in(&self, block: Span) -> Span {
        Span { start: block.start + self.invariant.start, end: block.start + self.invariant.end }
    }
}

/// Lowers a model with as much room for processes as it seems to need. Where it gets too large for that, less has to do.
fn with_room(ast: &Ast, source: &Source, before: Diagnostics) -> (Option<Lowered>, Diagnostics) {
    let (mut lowered, mut diagnostics) = lower_in(ast, source, Room::Known, before.clone());
    while let Some(more) = lowered.as_mut().and_then(|lowered| room_for_more(lowered, before.alarm())) {
        let (larger, again) = lower_in(ast, source, more, before.clone());
        if larger.is_none() && !again.is_interrupted() {
            break;
        }
        (lowered, diagnostics) = (larger, again);
    }
    // A walk that was interrupted does not tell that there is room enough.
    let lowered = lowered.filter(|_| !diagnostics.is_over());
    (lowered, diagnostics)
}

/// Lowers a model with this room for processes; nothing if the model is rejected.
fn lower_in(ast: &Ast, source: &Source, room: Room, mut diagnostics: Diagnostics) -> (Option<Lowered>, Diagnostics) {
    let lowered = lower::lower(ast, source, room, &mut diagnostics);
    (lowered.filter(|_| !diagnostics.is_rejected()), diagnostics)
}

/// The room that a model should have instead, if it seems to need more.
fn room_for_more(lowered: &mut Lowered, alarm: &Alarm) -> Option<Room> {
    let more = lowered.room.more()?;
    room::is_short(&mut lowered.system, lowered.process_count, alarm).then_some(more)
}
