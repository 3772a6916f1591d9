//! Console examples in Markdown: each command runs and prints what is shown. `UPDATE=1` writes what it prints.

use crate::tool;
use std::path::Path;
use std::process::Command;

/// Runs a command line in a folder, with our binary in the path.
pub fn run(command: &str, folder: &Path) -> String {
    let binary = tool();
    let path = std::env::join_paths([binary.parent().expect("a folder"), Path::new("/usr/bin"), Path::new("/bin")]);
    let output = Command::new("sh")
        .args(["-c", command])
        .env("PATH", path.expect("plain names"))
        .current_dir(folder)
        .output()
        .expect("a shell");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Checks the ```` ```console ```` blocks of a page, whose commands run in a folder, and says how many there are.
pub fn check(page: &Path, folder: &Path) -> usize {
    let text = std::fs::read_to_string(page).expect("readable");
    let (new, commands) = executed(&text, folder);
    if std::env::var_os("UPDATE").is_some() {
        std::fs::write(page, &new).expect("writable");
    } else if new != text {
        let differs = text.lines().zip(new.lines()).find(|(old, new)| old != new);
        let page = page.display();
        panic!("{page} shows something else than is printed, first {differs:?}; UPDATE=1 rewrites it");
    }
    commands
}

/// The text with what its commands print now, and their number.
fn executed(text: &str, folder: &Path) -> (String, usize) {
    let mut out = String::new();
    let mut commands = 0;
    let mut in_block = false;
    for line in text.lines() {
        match (in_block, line.strip_prefix("$ ")) {
            (true, Some(command)) => {
                commands += 1;
                let printed = run(command, folder);
                out += &format!("{line}\n");
                // Diagnostics end with an empty line, which a page does not need.
                out.extend(printed.trim_end().lines().map(|line| format!("{line}\n")));
            }
            (true, None) if line != "```" => {}
            _ => {
                in_block = line == "```console";
                out += &format!("{line}\n");
            }
        }
    }
    (out, commands)
}
