//! On what and with what the measurements were made.

use super::suite::Suite;
use serde::Serialize;

#[derive(Serialize)]
struct Manifest<'a> {
    uwbmc: &'static str,
    processor: String,
    cores: usize,
    memory_kb: Option<u64>,
    system: &'static str,
    suite: &'a Suite,
}

/// The manifest in JSON.
pub fn render(suite: &Suite) -> String {
    let manifest = Manifest {
        uwbmc: env!("CARGO_PKG_VERSION"),
        processor: field("/proc/cpuinfo", "model name").unwrap_or_default(),
        cores: std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        memory_kb: field("/proc/meminfo", "MemTotal").and_then(|text| text.split(' ').next()?.parse().ok()),
        system: std::env::consts::OS,
        suite,
    };
    serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n"
}

/// A field of a file of Linux that has `name : value` on each line.
fn field(path: &str, name: &str) -> Option<String> {
    let text = std::fs::read_to_string(path).ok()?;
    let line = text.lines().find(|line| line.starts_with(name))?;
    Some(line.split_once(':')?.1.trim().to_owned())
}
