//! Folders for a short time, which are removed even if this process is killed.

use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is ours alone, until it is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    heir: Option<Child>,
}

impl Scratch {
    /// A new one among the temporary files of the system.
    pub fn new() -> io::Result<Scratch> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("uwbmc-cc-{}-{number}", std::process::id()));
        fs::create_dir(&folder)?;
        let heir = heir_of(&folder).ok();
        Ok(Scratch { folder, heir })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

/// A process that removes a folder when its input ends, which it does when this process ends, however that happens. What
/// the terminal or a supervisor tells our group is not for it.
fn heir_of(folder: &Path) -> io::Result<Child> {
    let mut shell = Command::new("sh");
    shell.args(["-c", "read -r _; rm -rf -- \"$0\""]).arg(folder).process_group(0);
    shell.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn()
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
        if let Some(mut heir) = self.heir.take() {
            drop(heir.stdin.take());
            let _ = heir.wait();
        }
    }
}
