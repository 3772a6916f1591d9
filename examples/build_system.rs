//! Builds a system in Rust, without a file: philosophers who take one fork after the other, and get stuck.

use uwbmc::system::{Program, System};
use uwbmc::{Error, Model, Options, check};

/// This many philosophers around a table. Each takes the fork to the left, then the one to the right, then puts both down.
fn philosophers(count: usize) -> System {
    let mut table = Program::default();
    let forks: Vec<_> = (0..count).map(|fork| table.number(&format!("fork{fork}"), 1, 1)).collect();
    for seat in 0..count {
        let philosopher = table.process(&format!("philosopher{seat}"), 3, &[]);
        let (left, right) = (forks[seat], forks[(seat + 1) % count]);
        for (point, fork) in [left, right].into_iter().enumerate() {
            let is_free = table.equals(fork, 1);
            let take = table.set(fork, 0);
            table.command(philosopher, point, point + 1, is_free, vec![take]);
        }
        let always = table.always();
        let put = vec![table.set(left, 1), table.set(right, 1)];
        table.command(philosopher, 2, 0, always, put);
    }
    table.deadlock_free();
    table.system
}

/// How long the way into the deadlock is, by the number of philosophers.
pub fn run() -> Result<String, Error> {
    let mut text = String::new();
    for count in 2..6 {
        let report = check(&Model::from_system(philosophers(count)), &Options::default().bound(12), &mut ())?;
        for property in &report.properties {
            text += &format!("{count} philosophers, {}: {}\n", property.name, property.verdict);
        }
    }
    Ok(text)
}

#[allow(dead_code, reason = "tests call `run`")]
fn main() -> Result<(), Error> {
    print!("{}", run()?);
    Ok(())
}
