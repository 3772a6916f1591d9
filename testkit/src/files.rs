//! The SMV files of the repository.

use std::path::PathBuf;

/// All `.smv` files below the given folders of the repository, in order of their paths.
pub fn smv_files(folders: &[&str]) -> Vec<PathBuf> {
    let root = crate::root();
    let mut open: Vec<PathBuf> = folders.iter().map(|folder| root.join(folder)).collect();
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        let entries = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        for entry in entries {
            let path = entry.expect("a folder can be listed").path();
            match path.extension() {
                // The large models are for those who ask for them.
                _ if path.is_dir() && path.ends_with("large") => {}
                _ if path.is_dir() => open.push(path),
                Some(extension) if extension == "smv" => found.push(path),
                _ => {}
            }
        }
    }
    found.sort();
    found
}
