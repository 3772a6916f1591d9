//! What the measurements say, with the losing cases.

use super::formulas;
use super::run::{Outcome, Run};
use super::suite::{Depths, Instance, Measure, Suite};
use report::Table;
use report::plot::{Axis, Mark, Plot, Scale, Series};
use std::collections::BTreeMap;
use std::fmt::Write;

/// More than this many times the best contestant's time is a loss.
const LOSS: f64 = 1.25;

/// How many instances a sentence names.
const NAMED: usize = 4;

/// Instances below this many seconds say more about the machine than about the contestants.
const WORTH_SECONDS: f64 = 1.0;

/// The runs of a contestant on an instance, with different seeds.
struct Median {
    cpu: f64,
    low: f64,
    high: f64,
    wall: f64,
    outcome: Outcome,
    depth: Option<usize>,
    solved: bool,
    /// The time that a run has.
    patience: f64,
}

fn median_of(suite: &Suite, runs: &[Run], instance: &Instance, contestant: &str) -> Option<Median> {
    let name = instance.name();
    let mut runs: Vec<&Run> = runs.iter().filter(|run| run.instance == name && run.contestant == contestant).collect();
    let patience = suite.patience(contestant);
    let time = |run: &Run| if run.is_solved() { run.cpu.max(0.001) } else { run.cpu.max(patience) };
    runs.sort_by(|a, b| time(a).total_cmp(&time(b)));
    let middle = runs.get(runs.len() / 2)?;
    Some(Median {
        cpu: time(middle),
        low: time(runs.first()?),
        high: time(runs.last()?),
        wall: middle.wall,
        outcome: middle.outcome,
        depth: middle.depth,
        solved: middle.is_solved(),
        patience,
    })
}

/// The whole summary.
pub fn render(name: &str, suite: &Suite, runs: &[Run], skipped: &[String], tables: &[String]) -> String {
    let mut text = format!("# {name}\n\n{}\n\n", suite.about);
    if suite.measure == Measure::Formulas {
        text.push_str(&formulas::table(runs).render_markdown());
        text.push('\n');
    } else if !runs.is_empty() {
        let _ = writeln!(
            text,
            "CPU seconds, the median over {} seeds, with the least and the greatest where they differ by \
             more than a tenth; at most {} seconds a run, if no limit is named. `>` means that there was no answer by then, and how far the \
             search had come.\n",
            suite.seeds.len(),
            suite.timeout
        );
        text.push_str(&times(suite, runs).render_markdown());
        text.push('\n');
        if suite.measure == Measure::Time {
            text.push_str(&means(suite, runs));
            text.push_str(&gains(suite, runs));
            text.push_str(&losses(suite, runs));
        }
    }
    for table in tables {
        text.push_str(table);
    }
    if !suite.beside.is_empty() {
        let _ = writeln!(text, "{}", suite.beside);
    }
    if !skipped.is_empty() {
        let _ = writeln!(text, "## Not run\n");
        for line in skipped {
            let _ = writeln!(text, "- {line}");
        }
    }
    text.trim_end().to_owned() + "\n"
}

fn times(suite: &Suite, runs: &[Run]) -> Table {
    let names = suite.contestants.iter().map(|contestant| contestant.name.clone());
    let mut table = Table::new(["instance".to_owned(), "answer".to_owned()].into_iter().chain(names));
    for instance in &suite.instances {
        let medians = suite.contestants.iter().map(|contestant| median_of(suite, runs, instance, &contestant.name));
        let medians: Vec<Option<Median>> = medians.collect();
        if medians.iter().all(Option::is_none) {
            continue;
        }
        let answer =
            medians.iter().flatten().find(|median| median.solved).map_or(Outcome::Unknown, |median| median.outcome);
        let mut row = vec![instance.name(), answer.to_string()];
        row.extend(medians.iter().map(|median| median.as_ref().map_or("-".to_owned(), |median| cell(suite, median))));
        table.rows.push(row);
    }
    table
}

fn cell(suite: &Suite, median: &Median) -> String {
    let depth = median.depth.map_or("none".to_owned(), |depth| depth.to_string());
    if suite.measure == Measure::Bound && median.outcome == Outcome::Holds {
        return format!("every bound in {:.1} s", median.cpu);
    }
    if suite.measure == Measure::Bound {
        return format!("bound {depth} in {:.1} s", median.cpu);
    }
    if median.outcome == Outcome::Failed {
        return Outcome::Failed.to_string();
    }
    if !median.solved {
        return format!("> {:.0} (bound {depth})", median.patience);
    }
    let spread = match median.high > 1.1 * median.low {
        true => format!(" ({} to {})", seconds(median.low), seconds(median.high)),
        false => String::new(),
    };
    let length = match (suite.depths, median.outcome) {
        (Depths::Shown, Outcome::Violated) => format!(", depth {depth}"),
        _ => String::new(),
    };
    format!("{}{spread}{length}", seconds(median.cpu))
}

/// Seconds with as many digits as mean something.
fn seconds(time: f64) -> String {
    if time < 0.1 { format!("{time:.3}") } else { format!("{time:.2}") }
}

/// Geometric means of the ratios to the baseline, for each group.
fn means(suite: &Suite, runs: &[Run]) -> String {
    let mut groups: BTreeMap<&str, Vec<&Instance>> = BTreeMap::new();
    for instance in &suite.instances {
        groups.entry(&instance.group).or_default().push(instance);
    }
    let header = ["group", "instances"].map(str::to_owned).into_iter();
    let names = suite.contestants.iter().map(|contestant| contestant.name.clone());
    let mut table = Table::new(header.chain(names));
    for (group, instances) in groups {
        let mut row = vec![group.to_owned(), instances.len().to_string()];
        for contestant in &suite.contestants {
            let ratios: Vec<f64> = instances
                .iter()
                .filter_map(|instance| {
                    let theirs = median_of(suite, runs, instance, &contestant.name)?;
                    let baseline = median_of(suite, runs, instance, &suite.baseline)?;
                    Some(times_as_fast(&theirs, &baseline))
                })
                .collect();
            row.push(match ratios.is_empty() {
                true => "-".to_owned(),
                false => format!("{:.2}", geometric_mean(&ratios)),
            });
        }
        table.rows.push(row);
    }
    format!(
        "## How many times as fast as {}\n\nGeometric means; where there was no answer in time, the time limit counts, so \
         that ratios against it are lower bounds and ratios of it upper bounds. Where limits differ, the shorter one counts for both.\n\n{}\n",
        suite.baseline,
        table.render_markdown()
    )
}

/// How many times as fast as the baseline one of the contestants is, as far as the shorter of their time limits tells.
fn times_as_fast(theirs: &Median, baseline: &Median) -> f64 {
    let limit = theirs.patience.min(baseline.patience);
    baseline.cpu.min(limit) / theirs.cpu.min(limit)
}

fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len() as f64).exp()
}

/// When the hero helps and when it does not, in words, for each group. Where others are compared with the hero, there is
/// nothing to say.
fn gains(suite: &Suite, runs: &[Run]) -> String {
    if suite.hero == suite.baseline {
        return String::new();
    }
    let mut text = format!("## When {} helps, and when it does not\n\n", suite.hero);
    let mut groups: BTreeMap<&str, Vec<(String, f64)>> = BTreeMap::new();
    for instance in &suite.instances {
        let medians =
            median_of(suite, runs, instance, &suite.hero).zip(median_of(suite, runs, instance, &suite.baseline));
        let Some((hero, baseline)) = medians else { continue };
        groups.entry(&instance.group).or_default().push((instance.name(), times_as_fast(&hero, &baseline)));
    }
    for (group, mut ratios) in groups {
        ratios.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        let faster = ratios.iter().take_while(|(_, ratio)| *ratio > LOSS).count();
        let slower = ratios.iter().rev().take_while(|(_, ratio)| *ratio < 1.0 / LOSS).count();
        let _ = writeln!(
            text,
            "- **{group}**: of {} instances it is clearly faster than {} on {faster}, clearly slower on {slower}, and about \
             as fast on {}.{}{}",
            ratios.len(),
            suite.baseline,
            ratios.len() - faster - slower,
            if faster > 0 { format!(" It gains most on {}.", list(&ratios[..faster])) } else { String::new() },
            if slower > 0 {
                ratios.reverse();
                format!(" It loses most on {}.", list(&ratios[..slower]))
            } else {
                String::new()
            },
        );
    }
    text + "\n"
}

/// The first of some instances, each with its ratio.
fn list(some: &[(String, f64)]) -> String {
    let named = some.iter().take(NAMED).map(|(name, ratio)| format!("{name} ({ratio:.1} times)"));
    named.collect::<Vec<String>>().join("; ")
}

/// Where the hero is clearly slower than another contestant.
fn losses(suite: &Suite, runs: &[Run]) -> String {
    let mut table = Table::new(["instance", "the best", "its seconds", &format!("seconds of {}", suite.hero), "times"]);
    for instance in &suite.instances {
        let Some(hero) = median_of(suite, runs, instance, &suite.hero) else { continue };
        let others = suite.contestants.iter().filter(|contestant| contestant.name != suite.hero);
        let medians = others.filter_map(|contestant| {
            Some((&contestant.name, median_of(suite, runs, instance, &contestant.name)?)).filter(|(_, m)| m.solved)
        });
        let Some((name, best)) = medians.min_by(|(_, a), (_, b)| a.cpu.total_cmp(&b.cpu)) else { continue };
        if hero.cpu > WORTH_SECONDS && hero.cpu > LOSS * best.cpu {
            let times = format!("{:.2}", hero.cpu / best.cpu);
            let (best, hero) = (seconds(best.cpu), format!("{:.2} ({:.2} on the clock)", hero.cpu, hero.wall));
            table.rows.push(vec![instance.name(), name.clone(), best, hero, times]);
        }
    }
    let intro = format!(
        "## Where {} loses\n\nInstances on which it needs over {WORTH_SECONDS} s and over {LOSS} times the time of the best.\n\n",
        suite.hero
    );
    if table.rows.is_empty() { intro + "None.\n\n" } else { intro + &table.render_markdown() + "\n" }
}

/// The plots, by file name.
pub fn plots(suite: &Suite, runs: &[Run]) -> Vec<(&'static str, Plot)> {
    if suite.measure != Measure::Time {
        return Vec::new();
    }
    vec![("cactus.svg", cactus(suite, runs)), ("scatter.svg", scatter(suite, runs))]
}

fn cactus(suite: &Suite, runs: &[Run]) -> Plot {
    let series = suite.contestants.iter().map(|contestant| {
        let medians = suite.instances.iter().filter_map(|one| median_of(suite, runs, one, &contestant.name));
        let mut times: Vec<f64> = medians.filter(|median| median.solved).map(|median| median.cpu).collect();
        times.sort_by(f64::total_cmp);
        let points = times.into_iter().enumerate().map(|(index, time)| ((index + 1) as f64, time)).collect();
        Series { name: contestant.name.clone(), points }
    });
    Plot {
        title: "Instances solved within a time each".to_owned(),
        x: Axis { label: "instances".to_owned(), scale: Scale::Linear },
        y: Axis { label: "seconds".to_owned(), scale: Scale::Log },
        mark: Mark::Line,
        diagonal: false,
        series: series.collect(),
    }
}

fn scatter(suite: &Suite, runs: &[Run]) -> Plot {
    let mut groups: BTreeMap<&str, Vec<(f64, f64)>> = BTreeMap::new();
    for instance in &suite.instances {
        let (baseline, hero) =
            (median_of(suite, runs, instance, &suite.baseline), median_of(suite, runs, instance, &suite.hero));
        if let (Some(baseline), Some(hero)) = (baseline, hero) {
            groups.entry(&instance.group).or_default().push((baseline.cpu, hero.cpu));
        }
    }
    Plot {
        title: format!("{} against {}", suite.hero, suite.baseline),
        x: Axis { label: format!("seconds of {}", suite.baseline), scale: Scale::Log },
        y: Axis { label: format!("seconds of {}", suite.hero), scale: Scale::Log },
        mark: Mark::Dots,
        diagonal: true,
        series: groups.into_iter().map(|(name, points)| Series { name: name.to_owned(), points }).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn within(patience: f64, cpu: f64) -> Median {
        let solved = cpu < patience;
        let (wall, outcome, depth) = (cpu, Outcome::Unknown, None);
        Median { cpu, low: cpu, high: cpu, wall, outcome, depth, solved, patience }
    }

    #[test]
    fn of_different_limits_the_shorter_one_counts_for_both() {
        assert_eq!(times_as_fast(&within(5.0, 5.2), &within(20.0, 20.1)), 1.0, "neither has an answer in 5 seconds");
        assert_eq!(times_as_fast(&within(20.0, 8.0), &within(5.0, 5.0)), 1.0, "nor here");
        assert_eq!(times_as_fast(&within(20.0, 0.1), &within(20.0, 20.0)), 200.0);
        assert_eq!(times_as_fast(&within(5.0, 2.0), &within(20.0, 1.0)), 0.5);
    }
}
