//! Asking NuSMV, where it is installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// How long NuSMV may take for a model.
pub const PATIENCE: Duration = Duration::from_secs(10);

/// The binary: in the environment variable `NUSMV`, or `NuSMV` in the path.
pub fn find() -> Option<PathBuf> {
    let named = std::env::var_os("NUSMV").map(PathBuf::from);
    let in_path = || {
        let paths = std::env::var_os("PATH")?;
        std::env::split_paths(&paths).map(|folder| folder.join("NuSMV")).find(|path| path.is_file())
    };
    named.or_else(in_path)
}

/// What NuSMV prints for some commands on a model; `None` when it takes too long.
pub fn ask(nusmv: &Path, model: &Path, commands: &str) -> Option<String> {
    // Tests run at the same time, in one process or in several.
    let folder = format!("uwbmc-nusmv-{}-{:?}", std::process::id(), std::thread::current().id());
    let folder = std::env::temp_dir().join(folder.replace(['(', ')'], "-"));
    std::fs::create_dir_all(&folder).expect("a temporary folder");
    let script = folder.join("script");
    std::fs::write(&script, format!("{commands}\nquit\n")).expect("writable");
    let output = folder.join("output");
    let mut child = Command::new(nusmv)
        .args(["-source".as_ref(), script.as_os_str(), model.as_os_str()])
        .stdin(Stdio::null())
        .stdout(std::fs::File::create(&output).expect("writable"))
        .stderr(Stdio::null())
        .spawn()
        .expect("NuSMV starts");
    let start = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if start.elapsed() > PATIENCE {
            let _ = child.kill();
            let _ = child.wait();
            return None;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    let text = String::from_utf8_lossy(&std::fs::read(&output).expect("readable")).into_owned();
    let _ = std::fs::remove_dir_all(&folder);
    Some(text)
}
