//! Reading ends where it has to, in every phase, and then there is no model.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use uwbmc::diagnostic::Diagnostics;
use uwbmc::limits::Ended;
use uwbmc::source::Source;
use uwbmc::system::{Alarm, Claim, Machine, Property, Span, System};
use uwbmc::{Error, Language, Model, Options, promela, smv};

/// A long chain of cells.
fn long_smv() -> String {
    let cell = "MODULE cell(before)\nVAR own : 0..7;\nDEFINE sum := before + own + 1;\nASSIGN\n  init(own) := 0;\n  \
                next(own) := case sum > 5 : 0; TRUE : own + 1; esac;\n";
    let chain: String = (1..4_000).map(|at| format!("  c{at} : cell(c{}.own);\n", at - 1)).collect();
    format!("{cell}MODULE main\nVAR\n  c0 : cell(1);\n{chain}INVARSPEC c9.own < 8;\n")
}

/// Many processes of many statements each, which come from a macro, and one that creates as many as there is room for.
fn long_promela() -> String {
    let step = "#define STEP(x) if :: x < 3 -> x++ :: else -> x = 0 fi; shared!x; shared?x;\n";
    let body = "STEP(own) ".repeat(10);
    let processes = (0..60).map(|at| format!("active proctype p{at}() {{ byte own; {body} }}\n"));
    let creator = "proctype child() { (false) }\nactive proctype creator() { do :: run child() od }\n";
    format!("{step}chan shared = [2] of {{ byte }};\n{}{creator}", processes.collect::<String>())
}

fn load(text: &str, language: Language, alarm: &Alarm) -> (Option<System>, Diagnostics) {
    let mut source = Source::new("model", text.as_bytes());
    let alarm = Some(alarm);
    match language {
        Language::Smv => {
            let loaded = smv::load_with(&mut source, smv::Settings { alarm, ..smv::Settings::default() });
            (loaded.system, loaded.diagnostics)
        }
        Language::Promela => {
            let settings = promela::Settings { alarm, ..promela::Settings::default() };
            let loaded = promela::load(&mut source, settings, &|_, _| Err("no such file".to_owned()));
            (loaded.system, loaded.diagnostics)
        }
    }
}

/// Interrupts reading at later and later looks, until it comes to its end.
fn interrupt_everywhere(text: &str, language: Language) {
    let (whole, diagnostics) = load(text, language, &Alarm::default());
    let whole = whole.unwrap_or_else(|| panic!("{:?}", diagnostics.sorted()));
    let (mut looks, mut interruptions) = (0, 0);
    loop {
        let (system, diagnostics) = load(text, language, &Alarm::default().or_after(looks));
        if !diagnostics.is_interrupted() {
            let system = system.expect("the model is right");
            assert_eq!(system.commands.len(), whole.commands.len());
            assert_eq!(system.variables.len(), whole.variables.len());
            break;
        }
        assert!(system.is_none() && diagnostics.is_rejected(), "{language:?} after {looks} looks");
        interruptions += 1;
        looks += 1 + looks / 4;
    }
    assert!(interruptions >= 5, "{language:?}: {interruptions}");
    interrupt_preparation(whole);
}

/// The same while a machine is made of a system with many properties.
fn interrupt_preparation(mut system: System) {
    let condition = system.exprs.boolean(true);
    for number in 0..1000 {
        let (name, span) = (format!("p{number}"), Span::default());
        system.properties.push(Property::new(name, Claim::Invariant(condition), span));
    }
    let system = Arc::new(system);
    let mut looks = 0;
    while Machine::until(Arc::clone(&system), &Alarm::default().or_after(looks)).is_none() {
        looks += 1;
    }
    assert!(looks >= 20, "{looks}");
}

#[test]
fn smv_ends_where_it_has_to() {
    interrupt_everywhere(&long_smv(), Language::Smv);
}

#[test]
fn promela_ends_where_it_has_to() {
    interrupt_everywhere(&long_promela(), Language::Promela);
}

/// The reader itself says that it had to end; it is not left alone.
#[test]
fn a_reader_comes_to_its_end() {
    for (text, language) in [(long_smv(), Language::Smv), (long_promela(), Language::Promela)] {
        let options = Options { timeout: Some(Duration::ZERO), ..Options::default() };
        let has_ended = Arc::new(AtomicBool::new(false));
        let tells = Arc::clone(&has_ended);
        let read = Model::within(&options, &(), move |reader| {
            let read = reader.parse(&text, language);
            tells.store(true, Ordering::Relaxed);
            read
        });
        assert!(matches!(read, Err(Error::Unread(Ended::Time))), "{language:?}");
        assert!(has_ended.load(Ordering::Relaxed), "{language:?}");
    }
}
