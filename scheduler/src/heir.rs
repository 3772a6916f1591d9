//! Folders are removed even if this process is killed: by another one.

use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A process that removes a folder when its input ends, which it does when this process ends, however that happens. What
/// the terminal or a supervisor tells our group is not for it.
#[derive(Debug)]
pub struct Heir(Child);

impl Heir {
    /// The heir of a folder.
    pub fn of(folder: &Path) -> io::Result<Heir> {
        let mut shell = Command::new("sh");
        shell.args(["-c", "read -r _; rm -rf -- \"$0\""]).arg(folder).process_group(0);
        shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().map(Heir)
    }
}

impl Drop for Heir {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}
