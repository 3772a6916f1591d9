use uwbmc_scheduler::*;
use std::time::{Duration, Instant};
fn main() {
    let mut args = std::env::args_os().skip(1);
    let mode = args.next().unwrap().into_string().unwrap();
    let program = args.next().unwrap().into();
    let command = Command { program, arguments: args.collect(), patience: Duration::from_secs(5) };
    let mut session = match Session::start(command) { Ok(s) => s, Err(e) => { println!("{e}"); return } };
    let reduction = match mode.as_str() { "none" => Reduction::None, "sleep" => Reduction::Sleep, "source" => Reduction::Source, _ => Reduction::Optimal };
    let mut search = Search::new(reduction, 5000, true);
    let start = Instant::now();
    let mut findings = std::collections::BTreeMap::new();
    while let Some(plan) = search.next() {
        let record = session.run(&plan).unwrap();
        if std::env::var("V").is_ok() {
            println!("--- branch {} sleep {:?} {:?} lane {:?} {:?} {:?}", plan.branch, plan.sleep.iter().collect::<Vec<_>>(), record.ending, record.lane, record.status, record.message);
            for (i, s) in record.steps.iter().enumerate() { println!("{i} {:?} {} {:x} v{} r{}", s.event.lane, s.event.op.kind.name(), s.event.op.key.address, s.event.op.value, s.event.result); }
            for p in &record.pending { println!("   pending {:?} {}", p.lane, p.op.kind.name()); }
        }
        if let Some(f) = Finding::of(&record, false) { *findings.entry(format!("{:?}", f.violation)).or_insert(0) += 1; }
        if matches!(record.ending, operations::region::Ending::Mismatch | operations::region::Ending::Unsupported | operations::region::Ending::Foreign) { println!("BAD {:?} {} {}", record.ending, record.value, record.message); }
        if let Err(d) = search.learn(&record) { println!("differs {d:?}"); break }
        if search.statistics.runs > 200000 { break }
    }
    let t = start.elapsed().as_secs_f64();
    println!("{mode}: {:?} {findings:?} {:.0} runs/s", search.statistics, search.statistics.runs as f64 / t);
}
