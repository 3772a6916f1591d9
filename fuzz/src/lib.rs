//! What fuzzers run: whatever the bytes, nothing panics, overflows the stack or hangs. The property tests run it too
//! (`tests/languages/fuzz_targets.rs`), so that it keeps compiling where no fuzzer is installed.

use uwbmc::diagnostic::{Diagnostics, Style};
use uwbmc::source::Source;
use uwbmc::trace::{Document, xml_read};
use uwbmc::{promela, smv};

/// Bytes as an SMV model: it is read, and what is wrong with it is shown.
pub fn smv(bytes: &[u8]) {
    let source = Source::new("fuzz.smv", bytes);
    show(&smv::load(&source, &[]).diagnostics, &source);
}

/// Bytes as a Promela model, which can include nothing.
pub fn promela(bytes: &[u8]) {
    let mut source = Source::new("fuzz.pml", bytes);
    let nothing = |_: &str, wanted: &str| Err(format!("{wanted} is not there"));
    let loaded = promela::load(&mut source, promela::Settings::default(), &nothing);
    show(&loaded.diagnostics, &source);
}

/// Bytes as a trace: our document, or NuSMV's.
pub fn trace(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let _ = Document::from_json(&text);
    let _ = xml_read::read(&text);
}

fn show(diagnostics: &Diagnostics, source: &Source) {
    let _ = diagnostics.render(source, Style::Plain);
}
