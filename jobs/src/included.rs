//! The files that a model includes, which come along with it.

use super::folder::{FORMULA, JOBS, MANIFEST, RESULTS};
use check::Error;
use languages::source::Source;
use std::path::{Component, Path};

/// A file that a model includes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Included {
    /// Its name, as seen from the folder of the model.
    pub file: String,
    /// Its text.
    pub text: String,
}

impl Included {
    /// All files that a model includes, each once. They have to be in the folder of the model or below it, so that the model
    /// finds them where its copy is.
    pub fn by(source: &Source) -> Result<Vec<Included>, Error> {
        let folder = Path::new(source.name()).parent().unwrap_or(Path::new(""));
        let mut found: Vec<Included> = Vec::new();
        for (name, text) in source.included_files() {
            let Some(file) = seen_from(folder, name) else {
                let what = "it is not below the folder of the model, so that it cannot come along";
                let cure = "copy it there, or split what `spin -I` prints";
                return Err(Error::Usage(format!("{name}: {what}; {cure}")));
            };
            if !found.iter().any(|known| known.file == file) {
                found.push(Included { file, text: text.to_owned() });
            }
        }
        Ok(found)
    }

    /// Writes the file to a folder, unless a file of the split itself has its name.
    pub fn write(&self, folder: &Path, model: &str) -> Result<(), Error> {
        let first = Path::new(&self.file).components().next().map(|first| first.as_os_str().to_string_lossy());
        if first.is_some_and(|first| [model, MANIFEST, FORMULA, JOBS, RESULTS].contains(&first.as_ref())) {
            let what = "a file of the split has this name";
            return Err(Error::Usage(format!("{}: {what}; give the file that is included another one", self.file)));
        }
        let path = folder.join(&self.file);
        let made = path.parent().map_or(Ok(()), std::fs::create_dir_all);
        made.and_then(|()| std::fs::write(&path, &self.text)).map_err(|error| Error::in_file(&path, &error))
    }
}

/// The name of a file as seen from a folder that it is below.
fn seen_from(folder: &Path, name: &str) -> Option<String> {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let path = Path::new(name).strip_prefix(folder).ok()?;
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_)));
    is_plain.then(|| path.display().to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_below_the_folder_is_seen_from_it() {
        for (folder, name, seen) in [
            ("", "./a.h", Some("a.h")),
            ("models", "models/sub/a.h", Some("sub/a.h")),
            ("models", "models/../a.h", None),
            ("models", "/etc/a.h", None),
            ("/models", "/models/a.h", Some("a.h")),
        ] {
            assert_eq!(seen_from(Path::new(folder), name).as_deref(), seen, "{folder} {name}");
        }
    }
}
