//! The folder that a program finds us by.
//!
//! It is gone as soon as the program has found us, and where we end before that. Where a program takes long, there is an heir; and what is left where we are killed
//! before there is one, the next session removes: a folder is in use as long as the file `lock` in it is locked, and a lock ends with who holds it.
//! It gets its name when it has its lock.

use crate::heir::Heir;
use crate::session::{Failure, io, write_at};
use operations::region::{self, input};
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

/// What the names of all folders begin with, and those that have no lock yet.
const PREFIX: &str = "uwbmc-";
const FRESH: &str = ".uwbmc-";

/// A fresh folder that is younger than this will get its lock.
const YOUNG: Duration = Duration::from_secs(60);

pub(crate) struct Folder {
    pub(crate) path: PathBuf,
    /// Locked as long as the folder is in use.
    _lock: File,
    /// Who removes it if we are killed.
    heir: Option<Heir>,
}

impl Folder {
    /// A new one. Those that others have left are removed.
    pub(crate) fn new() -> Result<Folder, Failure> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let memory = Path::new("/dev/shm");
        let place = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
        sweep(&place);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        // The program finds the name in its environment: names of equal length keep its stack where it is.
        let name = format!("{}-{number:06}", std::process::id());
        let (fresh, path) = (place.join(format!("{FRESH}{name}")), place.join(format!("{PREFIX}{name}")));
        fs::create_dir(&fresh).map_err(io(fresh.display()))?;
        let lock = locked(&fresh).map_err(io(fresh.display()))?;
        fs::rename(&fresh, &path).map_err(io(path.display()))?;
        Ok(Folder { path, _lock: lock, heir: None })
    }

    /// Sees to it that the folder is removed even if we are killed. That takes a process, and most folders are gone before it has begun.
    pub(crate) fn appoint_heir(&mut self) {
        if self.heir.is_none() {
            self.heir = Heir::of(&self.path).ok();
        }
    }

    /// The region, with what it begins with.
    pub(crate) fn region(&self, kept: &[u64]) -> Result<File, Failure> {
        let path = self.path.join("region");
        let make = || -> io::Result<File> {
            let file = OpenOptions::new().read(true).write(true).create_new(true).open(&path)?;
            file.set_len(region::BYTES as u64)?;
            write_at(&file, 0, kept)?;
            write_at(&file, input::MAGIC, &[region::MAGIC])?;
            Ok(file)
        };
        make().map_err(io(path.display()))
    }

    /// The file that the program prints to.
    pub(crate) fn output(&self) -> Result<File, Failure> {
        let path = self.path.join("output");
        OpenOptions::new().read(true).append(true).create_new(true).open(&path).map_err(io(path.display()))
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Locks a new folder.
fn locked(folder: &Path) -> io::Result<File> {
    let lock = OpenOptions::new().write(true).create_new(true).open(folder.join("lock"))?;
    lock.try_lock()?;
    Ok(lock)
}

/// Removes the folders in a place that have been left. What cannot be looked at or removed belongs to others.
fn sweep(place: &Path) {
    let Ok(entries) = fs::read_dir(place) else { return };
    for entry in entries.flatten() {
        let begins_with = |prefix| entry.file_name().to_str().is_some_and(|name| name.starts_with(prefix));
        let path = entry.path();
        if begins_with(PREFIX) && is_left(&path) || begins_with(FRESH) && is_old(&path) {
            let _ = fs::remove_dir_all(path);
        }
    }
}

/// Whether a folder is not in use any more.
fn is_left(folder: &Path) -> bool {
    let lock = OpenOptions::new().write(true).open(folder.join("lock"));
    lock.is_ok_and(|lock| lock.try_lock().is_ok())
}

/// Whether a folder has been there for long.
fn is_old(folder: &Path) -> bool {
    let age = fs::metadata(folder).and_then(|about| about.modified()).ok().and_then(|since| since.elapsed().ok());
    age.is_some_and(|age| age > YOUNG)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::FileTimes;
    use std::time::SystemTime;

    /// A folder as old as given, with a lock that is not held.
    fn folder(place: &Path, name: &str, age: Duration) -> PathBuf {
        let path = place.join(name);
        fs::create_dir_all(&path).expect("a folder");
        fs::write(path.join("lock"), "").expect("a file");
        let then = FileTimes::new().set_modified(SystemTime::now() - age);
        File::open(&path).and_then(|folder| folder.set_times(then)).expect("a time");
        path
    }

    #[test]
    fn folders_that_were_left_are_removed_and_others_are_not() {
        let place = std::env::temp_dir().join(format!("sweeping-{}", std::process::id()));
        let old = 2 * YOUNG;
        let left = folder(&place, "uwbmc-1-000000", Duration::ZERO);
        let young = folder(&place, ".uwbmc-2-000000", Duration::ZERO);
        let foreign = folder(&place, "other-3-000000", old);
        let used = folder(&place, "uwbmc-4-000000", old);
        let lock = OpenOptions::new().write(true).open(used.join("lock")).expect("a file");
        lock.try_lock().expect("a lock");
        let begun = folder(&place, ".uwbmc-5-000000", old);
        sweep(&place);
        assert_eq!([left, begun, young, foreign, used].map(|path| path.exists()), [false, false, true, true, true]);
        drop(lock);
        sweep(&place);
        assert!(!place.join("uwbmc-4-000000").exists(), "who held the lock has ended");
        fs::remove_dir_all(&place).expect("a folder");
    }
}
