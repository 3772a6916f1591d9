//! The experiments of the papers behind the explicit engines, as tables and plots.

use super::suite::Experiment;
use crate::cycles;
use crate::experiment::{graph, memory, online, philosophers, programs, protocol};
use crate::spin::{self, Contest};
use crate::write;
use check::Error;
use explicit::{Forgetting, Reduction, Sets};
use report::Table;
use report::plot::{Axis, Mark, Plot, Scale, Series};
use std::path::Path;
use std::sync::Arc;
use system::Machine;

/// Runs an experiment, writes its table and its plot, and says what belongs into the summary.
pub fn run(experiment: Experiment, folder: &Path) -> Result<String, Error> {
    let (name, title, csv) = match experiment {
        Experiment::Philosophers => (
            "philosophers",
            "Dining philosophers without loops: transitions explored ([God97], Figure 4)",
            philosophers::table(6),
        ),
        Experiment::Protocol => {
            ("protocol", "A protocol over FIFO channels: stored states ([GP93], section 6)", protocol::table(4))
        }
        Experiment::Memory => ("memory", "Insertions in bounded memory ([JJ91], Figure 1)", memory_table()),
        Experiment::Graphs => (
            "graphs",
            "Insertions per state on random graphs, the median ([JJ91], section 2.3)",
            graph::table(2000, 15),
        ),
        Experiment::Dtp => ("dtp", "SPIN's example dtp: stored states ([GP93], section 6)", in_scratch(spin::dtp)?),
        Experiment::OnLine => {
            ("online", "On-line checking against deterministic automata ([JJ91], section 3)", online::table()?)
        }
        Experiment::Cycles => (
            "cycles",
            "Formulas about infinite runs of programs: SPIN and the search for cycles",
            in_scratch(cycles::table)?,
        ),
        Experiment::Processes => (
            "processes",
            "Dining philosophers as real processes: transitions explored without reduction ([God97], Figure 4)",
            in_scratch(|scratch| programs::processes(4, scratch))?,
        ),
        Experiment::Speed => (
            "speed",
            "Five philosophers as real threads, at random: runs and steps a second",
            in_scratch(programs::speed)?,
        ),
        Experiment::Twins => {
            ("twins", "Every state of a model, in seconds: SPIN and explicit search", in_scratch(spin::twins)?)
        }
        Experiment::Spin => {
            let table = in_scratch(|scratch| spin::compare(scratch, &[Contest::Lock(6), Contest::Leader]));
            (
                "spin",
                "Peterson's lock for six processes and SPIN's example leader: speed and memory beside SPIN",
                table?,
            )
        }
    };
    let (rows, remarks): (Vec<&str>, Vec<&str>) = csv.lines().partition(|line| !line.starts_with('#'));
    let mut cells = rows.iter().map(|row| row.split(',').map(str::to_owned).collect::<Vec<String>>());
    let mut table = Table::new(cells.next().unwrap_or_default());
    table.rows.extend(cells);
    write(&folder.join(format!("{name}.csv")), &table.render_csv())?;
    if let Some(plot) = plot(experiment, title, &table) {
        write(&folder.join(format!("{name}.svg")), &plot.render())?;
    }
    let remarks: String = remarks.iter().map(|remark| remark.trim_start_matches("# ").to_owned() + "\n\n").collect();
    Ok(format!("## {title}\n\n{}\n{remarks}", table.render_markdown()))
}

/// Does something in a folder that is removed afterwards.
fn in_scratch(work: impl FnOnce(&Path) -> Result<String, Error>) -> Result<String, Error> {
    let scratch = std::env::temp_dir().join(format!("uwbmc-spin-{}", std::process::id()));
    let done = work(&scratch);
    let _ = std::fs::remove_dir_all(&scratch);
    done
}

/// Our philosophers and the protocol, random graphs made as in the paper, and both again in the ways that forget less.
fn memory_table() -> String {
    let machine = |system| Machine::new(Arc::new(system));
    let graphs =
        [("philosophers", machine(philosophers::philosophers(6))), ("protocol", machine(protocol::protocol(3, 6)))];
    let rule = |arcs| graph::Rule { most: 2000, degree: 4, arcs };
    let anywhere = rule(graph::Arcs::Anywhere).graphs(1).next().map(|graph| ("random graph", machine(graph)));
    let ahead =
        rule(graph::Arcs::Ahead).graphs(1).next().map(|graph| ("random graph with short paths", machine(graph)));
    let graphs: Vec<(&str, Machine)> = graphs.into_iter().chain(anywhere).chain(ahead).collect();
    let sleep = Reduction { sets: Sets::Sleep, ..Reduction::default() };
    let at_random = memory::Way { reduction: Reduction::default(), forgetting: Forgetting::AtRandom };
    let cheapest = memory::Way { forgetting: Forgetting::Cheapest, ..at_random };
    let mut curves = Vec::new();
    for (name, machine) in &graphs {
        let is_concurrent = machine.system().processes.len() > 1;
        let sleeping = memory::Way { reduction: sleep, ..at_random };
        let both = memory::Way { reduction: sleep, ..cheapest };
        curves.push(((*name).to_owned(), machine, at_random));
        curves.push((format!("{name}; cheapest forgotten"), machine, cheapest));
        if is_concurrent {
            curves.push((format!("{name} with sleep sets"), machine, sleeping));
            curves.push((format!("{name} with sleep sets; cheapest forgotten"), machine, both));
        }
    }
    memory::table(curves.iter().map(|(name, machine, way)| (name.as_str(), *machine, *way)))
}

/// The number in a column of a row.
fn number(row: &[String], column: usize) -> Option<f64> {
    row.get(column)?.parse().ok()
}

/// Some columns over the first one, each a series.
fn by_column(table: &Table, columns: &[usize]) -> Vec<Series> {
    let series = columns.iter().map(|column| Series {
        name: table.header[*column].to_string(),
        points: table.rows.iter().filter_map(|row| Some((number(row, 0)?, number(row, *column)?))).collect(),
    });
    series.collect()
}

/// One column over another, a series for each name in a third.
fn by_name(table: &Table, name: usize, (x, y): (usize, usize)) -> Vec<Series> {
    let mut series: Vec<Series> = Vec::new();
    for row in &table.rows {
        let Some(point) = number(row, x).zip(number(row, y)) else { continue };
        match series.iter_mut().find(|series| series.name == row[name]) {
            Some(series) => series.points.push(point),
            None => series.push(Series { name: row[name].clone(), points: vec![point] }),
        }
    }
    series
}

/// Numbers of one column over those of another, a series for each name in a third or for each column.
fn plot(experiment: Experiment, title: &str, table: &Table) -> Option<Plot> {
    let (x, y, scale, series) = match experiment {
        Experiment::Philosophers => ("philosophers", "transitions", Scale::Log, by_column(table, &[3, 4, 5, 6, 7])),
        Experiment::Protocol => ("capacity", "states", Scale::Log, by_name(table, 1, (0, 2))),
        Experiment::Memory => {
            ("share of memory in percent", "insertions per state", Scale::Linear, by_name(table, 0, (2, 5)))
        }
        Experiment::Dtp
        | Experiment::Graphs
        | Experiment::Spin
        | Experiment::Twins
        | Experiment::Processes
        | Experiment::Speed
        | Experiment::Cycles
        | Experiment::OnLine => {
            return None;
        }
    };
    let axis = |label: &str, scale| Axis { label: label.to_owned(), scale };
    let (x, y) = (axis(x, Scale::Linear), axis(y, scale));
    Some(Plot { title: title.to_owned(), x, y, mark: Mark::Line, diagonal: false, series })
}
