//! Folders for a short time, which are removed even if this process is killed.

use scheduler::Heir;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// A folder that is ours alone, until it is dropped.
#[derive(Debug)]
pub struct Scratch {
    folder: PathBuf,
    _heir: Option<Heir>,
}

impl Scratch {
    /// A new one among the temporary files of the system.
    pub fn new() -> io::Result<Scratch> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("uwbmc-cc-{}-{number}", std::process::id()));
        fs::create_dir(&folder)?;
        let heir = Heir::of(&folder).ok();
        Ok(Scratch { folder, _heir: heir })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.folder
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}
