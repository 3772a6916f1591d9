//! Traces as value change dumps (IEEE 1364), for waveform viewers.
//!
//! One scope per process; time t is state t, and what belongs to a step (who runs, inputs) is shown while it is under
//! way, from t to t + 1. Enumerations are strings, an extension that GTKWave and others read.

use super::document::{Document, Domain, Scalar, Variable};
use super::telling::{Place, Telling};
use std::collections::HashSet;
use std::fmt::Write as _;
use std::io::{self, Write};

/// What is shown of a process or input where no step is under way.
const NOBODY: &str = "-";

/// Writes a trace.
pub fn write(run: Telling<'_>, out: &mut dyn Write) -> io::Result<()> {
    let (document, length) = (run.about(), run.length());
    writeln!(out, "$version uwbmc $end\n$timescale 1 ns $end")?;
    if let Some(start) = document.loop_start {
        let last = length - 1;
        writeln!(out, "$comment the state at #{last} is that at #{start}: the run goes on for ever $end")?;
    }
    let (signals, declared) = declare(document);
    out.write_all(declared.as_bytes())?;
    let mut shown: Vec<Option<String>> = vec![None; signals.len()];
    for place in run.places() {
        writeln!(out, "#{}", place.index)?;
        for (at, signal) in signals.iter().enumerate() {
            let value = signal.value(&place);
            if shown[at].as_ref() != Some(&value) {
                writeln!(out, "{value}{}", code(at))?;
                shown[at] = Some(value);
            }
        }
    }
    // So that the last state has a width.
    writeln!(out, "#{length}")
}

/// Where a signal's values come from.
enum Signal<'a> {
    Running,
    InLoop(usize),
    Of(&'a Variable),
}

/// The signals, and the text that declares them.
fn declare(document: &Document) -> (Vec<Signal<'_>>, String) {
    let (mut signals, mut out) = (vec![Signal::Running], String::new());
    signals.extend(document.loop_start.map(Signal::InLoop));
    out.push_str("$scope module model $end\n");
    let mut names = Names::default();
    for (at, signal) in signals.iter().enumerate() {
        let (kind, name) = if matches!(signal, Signal::Running) { ("string", "running") } else { ("wire", "in_loop") };
        let _ = writeln!(out, "$var {kind} 1 {} {} $end", code(at), names.free(name));
    }
    let scopes: Vec<String> = document.processes.iter().map(|process| names.free(&process.name)).collect();
    let shown = document.variables.iter().filter(|var| !var.internal);
    let strays = shown.clone().filter(|var| {
        var.process.as_ref().is_some_and(|name| document.processes.iter().all(|process| process.name != *name))
    });
    for variable in shown.clone().filter(|var| var.process.is_none()).chain(strays) {
        declare_variable(variable, &variable.name, &mut names, &mut signals, &mut out);
    }
    for (process, scope) in document.processes.iter().zip(scopes) {
        let _ = writeln!(out, "$scope module {scope} $end");
        let mut inside = Names::default();
        for variable in shown.clone().filter(|var| var.process.as_deref() == Some(&process.name)) {
            let local = variable.name.strip_prefix(&process.name).and_then(|rest| rest.strip_prefix('.'));
            declare_variable(variable, local.unwrap_or(&variable.name), &mut inside, &mut signals, &mut out);
        }
        out.push_str("$upscope $end\n");
    }
    out.push_str("$upscope $end\n$enddefinitions $end\n");
    (signals, out)
}

fn declare_variable<'a>(
    variable: &'a Variable,
    name: &str,
    names: &mut Names,
    signals: &mut Vec<Signal<'a>>,
    out: &mut String,
) {
    let (kind, width) = match &variable.domain {
        Some(Domain::Boolean) => ("wire", 1),
        Some(Domain::Range { low, high }) => ("integer", integer_width(*low, *high)),
        Some(Domain::Word { width, .. }) => ("reg", *width),
        Some(Domain::Enumeration { .. }) | None => ("string", 1),
    };
    let _ = writeln!(out, "$var {kind} {width} {} {} $end", code(signals.len()), names.free(name));
    signals.push(Signal::Of(variable));
}

impl Signal<'_> {
    fn value(&self, place: &Place) -> String {
        let step = place.next.as_deref();
        match self {
            Signal::Running => string(step.map_or(NOBODY, |step| &step.process)),
            Signal::InLoop(start) => if place.index >= *start { "1" } else { "0" }.to_owned(),
            Signal::Of(variable) if variable.input => {
                encode(variable, step.and_then(|step| step.inputs.get(&variable.name)))
            }
            Signal::Of(variable) => encode(variable, place.state.get(&variable.name)),
        }
    }
}

fn encode(variable: &Variable, value: Option<&Scalar>) -> String {
    let number = match value {
        Some(Scalar::Integer(value)) => Some(i128::from(*value)),
        Some(Scalar::Text(text)) => word(text),
        _ => None,
    };
    match (&variable.domain, value) {
        (Some(Domain::Boolean), Some(Scalar::Boolean(value))) => if *value { "1" } else { "0" }.to_owned(),
        (Some(Domain::Boolean), _) => "x".to_owned(),
        (Some(Domain::Range { low, high }), _) => bits(number, integer_width(*low, *high)),
        (Some(Domain::Word { width, .. }), _) => bits(number, *width),
        (_, value) => string(&value.map_or_else(|| NOBODY.to_owned(), Scalar::to_string)),
    }
}

/// The value of a vector; unknown where there is none.
fn bits(value: Option<i128>, width: u32) -> String {
    match value {
        Some(value) => format!("b{:0width$b} ", value & ((1 << width) - 1), width = width as usize),
        None => "bx ".to_owned(),
    }
}

/// Viewers read `integer` in two's complement.
fn integer_width(low: i64, high: i64) -> u32 {
    if i32::try_from(low).is_ok() && i32::try_from(high).is_ok() { 32 } else { 64 }
}

/// The number behind a word constant such as `-0sd8_5`.
fn word(text: &str) -> Option<i128> {
    let (sign, rest) = text.strip_prefix('-').map_or((1, text), |rest| (-1, rest));
    let number: i128 = rest.split_once('_')?.1.parse().ok()?;
    Some(sign * number)
}

fn string(text: &str) -> String {
    format!("s{} ", token(text))
}

/// Text without blanks: everything that is not plain ASCII is spelled out, and nothing is empty.
fn token(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        if c.is_ascii_graphic() { out.push(c) } else { out.extend(c.escape_unicode()) }
    }
    if out.is_empty() { "_".to_owned() } else { out }
}

/// The names of one scope.
#[derive(Default)]
struct Names(HashSet<String>);

impl Names {
    /// A name like this one that is free. Brackets would be read as a selection of bits, `$` as a keyword.
    fn free(&mut self, name: &str) -> String {
        let plain = token(name).replace('[', "(").replace(']', ")").replace('$', "_");
        let mut candidate = plain.clone();
        let mut number = 2;
        while !self.0.insert(candidate.clone()) {
            candidate = format!("{plain}_{number}");
            number += 1;
        }
        candidate
    }
}

/// The short code of the signal with this number: the 94 printable signs of ASCII as digits.
fn code(mut number: usize) -> String {
    let mut code = String::new();
    loop {
        code.push(char::from(b'!' + (number % 94) as u8));
        number /= 94;
        if number == 0 {
            return code;
        }
        number -= 1;
    }
}
