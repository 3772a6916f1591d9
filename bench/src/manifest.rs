//! On what and with what the measurements were made.

use super::suite::Suite;
use limits::resources::{field, kilobytes};
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
        memory_kb: kilobytes("/proc/meminfo", "MemTotal"),
        system: std::env::consts::OS,
        suite,
    };
    serde_json::to_string_pretty(&manifest).unwrap_or_default() + "\n"
}
