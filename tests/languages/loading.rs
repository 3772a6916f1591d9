//! How models get into the tool: files, standard input, macros from the command line, included files.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use testkit::command::{stderr, stdout, temporary, text, uwbmc};

/// A folder of its own.
fn folder(name: &str) -> PathBuf {
    let folder = temporary(name);
    std::fs::create_dir_all(&folder).expect("writable");
    folder
}

/// A file in a folder.
fn file(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).expect("writable");
    path
}

/// What the tool says when a text comes from standard input.
fn given(input: &[u8], arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_uwbmc"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it runs");
    // It may stop reading before the end.
    let _ = child.stdin.take().expect("piped").write_all(input);
    child.wait_with_output().expect("it ends")
}

/// What is said about a model that is not read.
fn refusal(arguments: &[&str]) -> String {
    let output = uwbmc(arguments);
    assert_eq!(output.status.code(), Some(2), "{}{}", stdout(&output), stderr(&output));
    stderr(&output)
}

const COUNTING: &str = "#ifndef N\n#define N 2\n#endif\nbyte x; active proctype P() { do :: x < N -> x++ :: else -> break od; assert(x == 2) }\n";

#[test]
fn a_dash_is_standard_input_and_needs_a_language() {
    let output = given(COUNTING.as_bytes(), &["-", "--language", "promela"]);
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let smv = "MODULE main\nVAR x : boolean;\nINVARSPEC x | !x\n";
    assert_eq!(given(smv.as_bytes(), &["check", "-", "--language", "smv"]).status.code(), Some(0));
    let asked = given(COUNTING.as_bytes(), &["show", "-"]);
    assert_eq!(asked.status.code(), Some(2));
    assert!(stderr(&asked).contains("standard input: no ending tells the language"), "{}", stderr(&asked));
    let wrong = given(b"byte x = ;\n", &["show", "-", "--language", "promela"]);
    assert!(stderr(&wrong).contains("<stdin>:1:10"), "{}", stderr(&wrong));
}

#[test]
fn endings_that_people_use_tell_the_language() {
    let folder = folder("endings");
    for ending in ["pml", "prm", "pr", "promela", "prom", "PML"] {
        let path = file(&folder, &format!("model.{ending}"), COUNTING);
        assert_eq!(uwbmc(&["show", text(&path)]).status.code(), Some(0), "{ending}");
    }
}

#[test]
fn macros_come_from_the_command_line() {
    let folder = folder("defines");
    let model = file(&folder, "counting.pml", COUNTING);
    let model = text(&model);
    assert_eq!(uwbmc(&[model]).status.code(), Some(0));
    for arguments in [&["-D", "N=3", model][..], &[model, "-DN=3"], &["check", model, "--define", "N=2+1"]] {
        let output = uwbmc(arguments);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {}", stderr(&output));
    }
    assert_eq!(uwbmc(&[model, "-D", "N=1+1"]).status.code(), Some(0));
    assert!(stdout(&uwbmc(&["count", model, "-D", "N=100"])).starts_with("204 states"), "every command takes them");
    let flag = file(&folder, "flag.pml", "byte x; active proctype P() {\n#if BAD\nassert(false)\n#endif\nskip }\n");
    assert_eq!(uwbmc(&[text(&flag), "-DBAD"]).status.code(), Some(1), "a name alone is 1");
    let function = file(&folder, "function.pml", "byte x; active proctype P() { x = inc(inc(1)); assert(x == 3) }\n");
    assert_eq!(uwbmc(&[text(&function), "-D", "inc(x)=((x)+1)"]).status.code(), Some(0));
}

#[test]
fn a_macro_without_effect_is_refused() {
    let folder = folder("idle-defines");
    let fixed = file(&folder, "fixed.pml", "#define N 2\nbyte x; active proctype P() { x = N }\n");
    let said = refusal(&[text(&fixed), "-D", "N=3"]);
    assert!(said.contains("the model defines N itself, so that -D N has no effect"), "{said}");
    assert!(said.contains("fixed.pml:1:9") && said.contains("#ifndef N"), "{said}");
    let said = refusal(&[text(&fixed), "-D", "M=3"]);
    assert!(said.contains("the model does not mention M"), "{said}");
    assert!(refusal(&[text(&fixed), "-D", "3=3"]).contains("#define needs a name"));
    assert!(refusal(&[text(&fixed), "-D", "=3"]).contains("NAME=VALUE"));
    let included = folder.join("included.pml");
    assert!(refusal(&[text(&fixed), "-D", &format!("N\n#include \"{}\"", text(&included))]).contains("on one line"));
}

#[test]
fn what_is_no_text_file_is_refused_in_words() {
    let folder = folder("no-files");
    assert!(refusal(&["show", text(&folder), "--language", "promela"]).contains("a folder, not a file"));
    for (name, bytes, reason) in [
        ("utf16.pml", &b"\xff\xfeb\0y\0t\0e\0"[..], "UTF-16"),
        ("packed.smv", b"\x1f\x8b\x08\0\0", "compressed"),
        ("binary.smv", b"\x7fELF\x02\0\0\0", "no text"),
        ("zeros.pml", &[0; 100], "no text"),
    ] {
        let said = refusal(&["show", text(&file(&folder, name, bytes))]);
        assert!(said.contains(reason) && said.lines().count() == 1, "{name}: {said}");
    }
    let latin = file(&folder, "latin.pml", b"/* Gr\xfc\xdfe */ byte x; active proctype P() { x = 1 }\n");
    assert_eq!(uwbmc(&["show", text(&latin)]).status.code(), Some(0), "comments may be in any encoding");
}

#[cfg(unix)]
#[test]
fn devices_and_pipes_are_not_waited_for() {
    assert!(refusal(&["show", "/dev/zero", "--language", "smv"]).contains("a device, not a file"));
    let pipe = folder("pipes").join("pipe.pml");
    let _ = std::fs::remove_file(&pipe);
    assert!(Command::new("mkfifo").arg(&pipe).status().expect("mkfifo is there").success());
    assert!(refusal(&["show", text(&pipe)]).contains("a pipe (to read from standard input, write -)"));
    let endless = file(&folder("pipes"), "endless.pml", "#include \"/dev/zero\"\nactive proctype P() { skip }\n");
    let said = refusal(&["show", text(&endless)]);
    assert!(said.contains("/dev/zero cannot be read: this is a device, not a file"), "{said}");
}

#[test]
fn too_large_a_model_is_refused() {
    let long = vec![b' '; (64 << 20) + 1];
    let said = given(&long, &["show", "-", "--language", "promela"]);
    assert_eq!(said.status.code(), Some(2));
    assert!(stderr(&said).contains("larger than the 64 MB"), "{}", stderr(&said));
}

#[test]
fn nothing_of_a_file_that_is_not_part_of_the_model_is_shown() {
    let outside = folder("outside");
    file(&outside, "secret.txt", "root:x:0:0:hunter2\npassword = swordfish;\n");
    let inside = folder("inside");
    let far = outside.join("secret.txt");
    let model = |include: &Path| {
        let name = format!("model{}.pml", include.as_os_str().len());
        let text = format!("#include \"{}\"\nactive proctype P() {{ skip }}\n", text(include));
        file(&inside, &name, text)
    };
    let said = refusal(&["show", text(&model(&far))]);
    for word in ["root", "hunter2", "password", "swordfish"] {
        assert!(!said.contains(word), "{said}");
    }
    assert!(said.contains("error[PML001]: The text is not what the grammar expects here"), "{said}");
    assert!(said.contains("secret.txt:1") && said.contains("not in the model's folder"), "{said}");
    let value = file(&inside, "value.pml", format!("byte x =\n#include \"{}\"\n;\n", text(&far)));
    assert!(!refusal(&["show", text(&value)]).contains("root"), "not in an expression either");
    file(&inside, "near.h", "root:x:0:0:hunter2\n");
    assert!(refusal(&["show", text(&model(Path::new("near.h")))]).contains("root:x:0:0:hunter2"), "beside the model");
    #[cfg(unix)]
    {
        let link = inside.join("link.h");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(&far, &link).expect("writable");
        assert!(!refusal(&["show", text(&model(Path::new("link.h")))]).contains("root"), "links do not help");
    }
}

#[test]
fn an_included_file_from_elsewhere_can_be_part_of_a_model() {
    let outside = folder("library");
    file(&outside, "lock.h", "inline lock(place) { atomic { place == 0; place = 1 } }\n");
    let inside = folder("user");
    let text_of =
        format!("#include \"{}\"\nbyte x; active proctype P() {{ lock(x) }}\n", text(&outside.join("lock.h")));
    assert_eq!(uwbmc(&[text(&file(&inside, "user.pml", text_of))]).status.code(), Some(0));
}
