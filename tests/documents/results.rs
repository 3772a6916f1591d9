//! docs/results.md and docs/table1.md: their tables are those in results/, and what the first says in words is what they show.
//! `UPDATE=1 cargo test --test documents results::` copies the tables again.

use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: PathBuf) -> String {
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The pages that have tables of results.
const PAGES: [&str; 2] = ["docs/results.md", "docs/table1.md"];

fn page() -> String {
    read(root().join(PAGES[0]))
}

/// The first table under a heading of a suite's summary, as lines of Markdown.
fn table(suite: &str, heading: &str) -> Vec<String> {
    let summary = read(root().join("results").join(suite).join("summary.md"));
    let is_heading = |line: &&str| line.starts_with('#') && line.trim_start_matches(['#', ' ']) == heading;
    let below = summary.lines().skip_while(|line| !is_heading(line)).skip(1);
    let rows = below.take_while(|line| !line.starts_with('#')).skip_while(|line| !line.starts_with('|'));
    let rows: Vec<String> = rows.take_while(|line| line.starts_with('|')).map(str::to_owned).collect();
    assert!(!rows.is_empty(), "results/{suite} has no table under {heading}");
    rows
}

/// The rows of a table by name of column.
fn cells(suite: &str, heading: &str) -> Vec<Vec<(String, String)>> {
    let split = |line: &String| -> Vec<String> {
        line.trim_matches(['|', ' ']).split('|').map(|cell| cell.trim().to_owned()).collect()
    };
    let lines = table(suite, heading);
    let names = split(&lines[0]);
    lines[2..].iter().map(|line| names.iter().cloned().zip(split(line)).collect()).collect()
}

fn cell<'a>(row: &'a [(String, String)], column: &str) -> &'a str {
    let found = row.iter().find(|(name, _)| name == column);
    &found.unwrap_or_else(|| panic!("there is no column {column}")).1
}

fn number(text: &str) -> f64 {
    text.split(' ').next().and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{text} is no number"))
}

/// The page with the tables that its marks name.
fn filled(page: &str) -> String {
    let mut out = String::new();
    let mut lines = page.lines().peekable();
    while let Some(line) = lines.next() {
        out += &format!("{line}\n");
        let mark = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
        if let Some((suite, heading)) = mark.and_then(|mark| mark.split_once(": ")) {
            while lines.next_if(|line| line.is_empty() || line.starts_with('|')).is_some() {}
            // A suite that has not been run here has no table.
            let is_there = root().join("results").join(suite).exists();
            let rows = if is_there { table(suite, heading).join("\n") + "\n\n" } else { String::new() };
            out += &format!("\n{rows}");
        }
    }
    out
}

#[test]
fn the_tables_are_those_of_the_results() {
    for path in PAGES {
        let page = read(root().join(path));
        let new = filled(&page);
        if std::env::var_os("UPDATE").is_some() {
            std::fs::write(root().join(path), &new).expect("writable");
        }
        assert!(new.matches("\n| ").count() > 15, "{path}");
        assert!(
            std::env::var_os("UPDATE").is_some() || new == page,
            "results/ has changed; UPDATE=1 cargo test --test documents results:: copies it to {path}"
        );
    }
}

/// The speed of UW compared with BMC in a group of instances.
fn speed(group: &str, column: &str) -> f64 {
    let rows = cells("families", "How many times as fast as BMC");
    let row = rows.iter().find(|row| cell(row, "group") == group).unwrap_or_else(|| panic!("no group {group}"));
    number(cell(row, column))
}

/// On each instance of the families, the seconds of the default and of the fastest way.
fn seconds_and_best() -> Vec<(f64, f64)> {
    let ways = ["BMC", "BMC with scheduling", "UW", "default"];
    let seconds = |row: &[(String, String)], way: &str| number(cell(row, way).trim_start_matches("> "));
    let pair = |row: &Vec<(String, String)>| {
        (seconds(row, "default"), ways.map(|way| seconds(row, way)).into_iter().fold(f64::INFINITY, f64::min))
    };
    let found: Vec<(f64, f64)> = cells("families", "families").iter().map(pair).collect();
    assert!(found.len() > 40);
    found
}

/// The rounds of the paper's procedure and of ours, with the result, at each bound of the comparisons of table1.
fn rounds() -> Vec<(String, f64, f64)> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(root().join("results/table1")).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.extension().is_some_and(|ending| ending == "csv") {
            let text = read(path);
            let mut lines = text.lines().map(|line| line.split(',').collect::<Vec<&str>>());
            let names = lines.next().expect("a header");
            let place = |name: &str| names.iter().position(|found| *found == name).expect("a column");
            let (k, way, result, rounds) = (place("k"), place("column"), place("result"), place("rounds"));
            let rows: Vec<Vec<&str>> = lines.collect();
            for paper in rows.iter().filter(|row| row[way] == "paper's UW") {
                let ours =
                    rows.iter().find(|row| row[way] == "UW alone" && row[k] == paper[k]).expect("the same bound");
                found.push((paper[result].to_owned(), number(paper[rounds]), number(ours[rounds])));
            }
        }
    }
    assert!(found.len() > 30);
    found
}

/// The share of the models on which UW gets at least as far as NuSMV, or answers.
fn share_of_peers() -> f64 {
    let rows = cells("peers", "peers");
    let bound = |text: &str| number(text.trim_start_matches("bound "));
    let theirs = |row: &[(String, String)]| {
        let (_, text) = row.iter().find(|(name, _)| name.starts_with("NuSMV")).expect("a column");
        bound(text)
    };
    let is_far = |row: &&Vec<(String, String)>| {
        let answers =
            cell(row, "answer") != "unknown" && number(cell(row, "UW").rsplit(" in ").next().unwrap_or("")) < 13.0;
        answers || bound(cell(row, "UW")) >= theirs(row)
    };
    rows.iter().filter(is_far).count() as f64 / rows.len() as f64
}

/// The runs of the suite `encoding` by plain bounded model checking.
fn unrollings() -> Vec<Vec<(String, String)>> {
    let rows = cells("encoding", "encoding");
    rows.into_iter().filter(|row| cell(row, "way") == "BMC").collect()
}

/// Those of the large table.
fn large_unrollings() -> Vec<Vec<(String, String)>> {
    unrollings().into_iter().filter(|row| cell(row, "instance").starts_with("generated")).collect()
}

/// The seconds of unrolling a step of it, at each bound.
fn seconds_a_step() -> Vec<f64> {
    let seconds = |row: &Vec<(String, String)>| number(cell(row, "seconds of unrolling")) / number(cell(row, "bound"));
    large_unrollings().iter().map(seconds).collect()
}

/// Each statement of the page, and whether the results bear it out.
fn statements() -> Vec<(&'static str, bool)> {
    let (few, violated) = ("violated, few context switches", "violated");
    let ways = ["BMC", "BMC with scheduling", "UW"].map(|way| speed("valid", way));
    let (fastest, slowest) = (ways.into_iter().fold(0.0, f64::max), ways.into_iter().fold(f64::INFINITY, f64::min));
    let sum = |which: fn(&(String, f64, f64)) -> f64| {
        rounds().iter().filter(|(result, ..)| result == "valid").map(which).sum::<f64>()
    };
    vec![
        (
            "On violated models whose bugs need few context switches, `uw` is more than four times as fast as plain bounded \
             model checking.",
            speed(few, "UW") > 4.0,
        ),
        ("On the other violated models it is more than twice as fast.", speed(violated, "UW") > 2.0),
        (
            "On valid models no way that unrolls is twice as fast as another one, taken over all of them.",
            fastest < 2.0 * slowest,
        ),
        (
            "Most of these models have so few states that the default, which also visits states, is more than ten times as \
             fast as any of these ways, taken over all valid models.",
            speed("valid", "default") > 10.0 * fastest,
        ),
        (
            "On the violated models the default is more than ten times as fast as plain bounded model checking, too.",
            speed(few, "default") > 10.0 && speed(violated, "default") > 10.0,
        ),
        (
            "On a few models another way is faster than the default, but on none where that takes over a second by more than a \
             quarter.",
            !seconds_and_best().iter().any(|(ours, best)| *ours > 1.0 && *ours > 1.25 * best),
        ),
        (
            "From the depth of a bug on, widening all blamed points together has a counterexample after at most two rounds.",
            rounds().iter().filter(|(result, ..)| result == "violated").all(|(.., ours)| *ours <= 2.0),
        ),
        (
            "On valid bounds the procedure of the paper takes more than five times as many rounds as widening all blamed \
             points together.",
            sum(|row| row.1) > 5.0 * sum(|row| row.2),
        ),
        ("In the time that NuSMV has, `uw` gets at least as far on most models.", share_of_peers() >= 0.7),
        (
            "Where solving takes over a second, plain bounded model checking spends less than a fifth of its time on making \
             formulas.",
            unrollings()
                .iter()
                .filter(|row| number(cell(row, "seconds of solving")) > 1.0)
                .all(|row| number(cell(row, "share of unrolling")) < 20.0),
        ),
        (
            "To unroll a large model twice as far takes plain bounded model checking about twice as long.",
            seconds_a_step().windows(2).all(|pair| (0.6..1.6).contains(&(pair[1] / pair[0]))),
        ),
        (
            "Unrolling a large model makes more than two million clauses a second, and takes far less than a gigabyte.",
            large_unrollings().iter().all(|row| {
                number(cell(row, "million clauses a second")) > 2.0 && number(cell(row, "megabytes")) < 500.0
            }),
        ),
    ]
}

#[test]
fn every_statement_is_what_the_results_show() {
    let page = page();
    let start = page.find("## What the measurements show\n\n").expect("a section");
    let list = page[start..].split("\n\n").nth(1).expect("a list");
    let written: Vec<String> = list.lines().map(|line| line.trim_start_matches("- ").to_owned()).collect();
    let known = statements();
    let texts: Vec<&str> = known.iter().map(|(text, _)| *text).collect();
    assert_eq!(written, texts, "every statement of the page is checked here");
    for (text, holds) in known {
        assert!(holds, "results/ does not show any more: {text}");
    }
}

/// A figure in the words would go stale: figures are in the tables.
#[test]
fn words_have_no_figures() {
    let pages = PAGES.map(|path| read(root().join(path)));
    for line in pages.iter().flat_map(|page| page.lines()).filter(|line| !line.starts_with(['|', '#', '<'])) {
        let figure = line
            .split(|c: char| !c.is_ascii_digit() && c != '.')
            .find(|word| word.contains(|c: char| c.is_ascii_digit()));
        assert!(
            figure.is_none_or(|figure| {
                let table = |name: &str| line.contains(&format!("{name}{figure}"));
                table("table") || table("Table ") || line.contains("UPDATE=1") || line.contains("POPL 2005")
            }),
            "{line}"
        );
    }
}
