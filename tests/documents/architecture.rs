//! The arrows between crates that ARCHITECTURE.md draws are those that Cargo knows.

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::process::Command;

/// What each crate uses of ours.
type Arrows = BTreeMap<String, BTreeSet<String>>;

/// The arrows of a page: lines that begin with the name of a crate, in the block after "What each crate may use".
fn drawn(page: &str) -> Arrows {
    let lines = page.lines().skip_while(|line| !line.starts_with("What each crate may use")).skip(2);
    let block = lines.take_while(|line| line.starts_with("    "));
    let words = block.map(|line| line.split_whitespace().filter(|word| *word != "→").map(str::to_owned));
    words.filter_map(|mut words| Some((words.next()?, words.collect()))).collect()
}

/// The arrows that Cargo knows, tests left out.
fn known() -> Arrows {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("Cargo runs");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    packages
        .iter()
        .map(|package| (name(&package["name"]), used(package)))
        .filter(|(name, _)| name != "testkit")
        .collect()
}

/// What a package uses of ours: what has a path.
fn used(package: &Value) -> BTreeSet<String> {
    let dependencies = package["dependencies"].as_array().expect("dependencies").iter();
    let ours = dependencies.filter(|dependency| dependency["path"].is_string() && dependency["kind"].is_null());
    ours.map(|dependency| name(&dependency["name"])).collect()
}

/// The name of a crate without the prefix that all of ours have.
fn name(package: &Value) -> String {
    let name = package.as_str().expect("a name");
    name.strip_prefix("uwbmc-").unwrap_or(name).to_owned()
}

#[test]
fn the_arrows_are_those_of_cargo() {
    let page = include_str!("../../ARCHITECTURE.md");
    assert_eq!(drawn(page), known());
}

/// The sources in a folder of the crate `system`.
fn room(name: &str) -> String {
    let folder = format!("{}/system/src/{name}", env!("CARGO_MANIFEST_DIR"));
    let files = std::fs::read_dir(folder).expect("a room").map(|entry| entry.expect("readable").path());
    files.map(|file| std::fs::read_to_string(file).expect("a source")).collect()
}

#[test]
fn the_rooms_of_the_system_point_one_way() {
    for (name, above) in [("definition", &["execution", "dependence"][..]), ("execution", &["dependence"])] {
        let text = room(name);
        assert!(text.len() > 10_000, "{name}");
        for other in above {
            assert!(!text.contains(&format!("crate::{other}")), "{name} uses {other}");
        }
    }
}

/// The names in the first column of the block "What is where" of a crate's first page.
fn placed(page: &str) -> Vec<&str> {
    let block = page.lines().skip_while(|line| *line != "//! # What is where").skip(3);
    let lines = block.take_while(|line| *line != "//! ```").map(|line| line.trim_start_matches("//! "));
    let first = lines.map(str::trim_start).filter_map(|line| line.split_once("  ")).map(|(names, _)| names);
    first.flat_map(str::split_whitespace).map(|name| name.trim_end_matches('/')).collect()
}

/// The names of all files and folders below a folder, without their endings.
fn names(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        found.extend(path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned));
        if path.is_dir() {
            names(&path, found);
        }
    }
}

#[test]
fn what_a_crates_first_page_places_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crates =
        known().into_keys().map(|name| if name == "uwbmc" { root.join("src") } else { root.join(name).join("src") });
    let mut pages = 0;
    for folder in crates {
        let page = std::fs::read_to_string(folder.join("lib.rs")).expect("a first page");
        let mut there = BTreeSet::new();
        names(&folder, &mut there);
        let placed = placed(&page);
        pages += usize::from(!placed.is_empty());
        for name in placed {
            assert!(there.contains(name), "{} speaks of {name}", folder.display());
        }
    }
    assert!(pages > 8, "{pages} crates say what is where");
}
