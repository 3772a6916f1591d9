//! A model whose names try to break out of every output.

use crate::traces::{Run, counterexamples};

/// Names that SMV allows between quotes, and that mean something elsewhere.
pub fn names() -> Vec<String> {
    let mut names: Vec<String> = [
        "<script>alert(1)</script>",
        "</script><img src=x onerror=alert(1)>",
        "]]>--><!-- &amp; 'quoted' &#60;",
        "a\nb\r\nstate 9: nobody moves",
        "\u{202e}desrever\u{200f}\u{2066}",
        "$end $upscope #0 \u{1b}[31m\u{0}",
        "| a | `b` \\| c \\",
        "=HYPERLINK(1),2;3",
        "{{template}} ${x} %s",
    ]
    .map(str::to_owned)
    .to_vec();
    names.push("x".repeat(10_000));
    names
}

/// A model whose variables, values, processes, control points and property have hostile names.
fn text() -> String {
    let names = names();
    let quoted: Vec<String> = names.iter().map(|name| format!("\"{name}\"")).collect();
    let variables: Vec<String> = names.iter().map(|name| format!("\"{name} \"")).collect();
    let mut text = "MODULE worker\nVAR ".to_owned();
    for (index, name) in variables.iter().enumerate() {
        text += &format!("{name} : {{{}, other{index}}};\n", quoted.join(", "));
    }
    text += &format!("pc : {{{}}};\nASSIGN\ninit(pc) := {};\nnext(pc) := case\n", quoted.join(", "), quoted[0]);
    for pair in quoted.windows(2) {
        text += &format!("pc = {} : {};\n", pair[0], pair[1]);
    }
    text += "TRUE : pc;\nesac;\n";
    for (index, (name, value)) in variables.iter().zip(&quoted).enumerate() {
        let next = format!("case pc = {value} : other{index}; TRUE : {name}; esac");
        text += &format!(
            "init({name}) := {value};
next({name}) := {next};
"
        );
    }
    text += "MODULE main\nVAR\n";
    for name in &variables[..3] {
        text += &format!("{name} : process worker;\n");
    }
    text + &format!("INVARSPEC NAME {} := {}.pc != {}\n", "bad", variables[0], quoted[4])
}

/// A counterexample of it.
pub fn run() -> Run {
    let path = crate::scratch().join(format!("{}-{:?}-hostile.smv", std::process::id(), std::thread::current().id()));
    std::fs::write(&path, text()).expect("writable");
    counterexamples(&path).remove(0)
}
