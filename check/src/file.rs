//! Reading files that users name, of which little is known: what is no file, too large or no text is said so.

use crate::error::Error;
use languages::promela::Included;
use languages::source::{LARGEST, Origin, Source};
use std::fs::{File, FileType};
use std::io::Read;
use std::path::Path;

/// The text of a model in a file.
pub fn source(path: &Path) -> Result<Source, Error> {
    let bytes = read(path).and_then(as_text).map_err(|reason| Error::about(path, &reason))?;
    Ok(Source::new(path.display().to_string(), &bytes))
}

/// The text of a model from standard input.
pub fn standard_input() -> Result<Source, Error> {
    let bytes = read_limited(std::io::stdin().lock()).and_then(as_text);
    let bytes = bytes.map_err(|reason| Error::Usage(format!("standard input: {reason}")))?;
    Ok(Source::new("<stdin>", &bytes))
}

/// A file that a model includes: its name is relative to the file that includes it.
pub fn included(model: &str, from: &str, wanted: &str) -> Result<Included, String> {
    let path = folder(from).join(wanted);
    let bytes = read(&path).and_then(as_text)?;
    let origin = if is_below(&path, folder(model)) { Origin::Model } else { Origin::Elsewhere };
    Ok(Included { name: path.display().to_string(), bytes, origin })
}

/// The folder of a file.
fn folder(file: &str) -> &Path {
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    if folder.as_os_str().is_empty() { Path::new(".") } else { folder }
}

/// Whether a file is in a folder or below it, wherever links lead.
fn is_below(file: &Path, folder: &Path) -> bool {
    match (file.canonicalize(), folder.canonicalize()) {
        (Ok(file), Ok(folder)) => file.starts_with(folder),
        _ => false,
    }
}

/// The bytes of a regular file.
fn read(path: &Path) -> Result<Vec<u8>, String> {
    // Before it is opened: to open a pipe waits for a writer.
    let kind = std::fs::metadata(path).map_err(|error| error.to_string())?.file_type();
    if !kind.is_file() {
        return Err(format!("this is {}, not a file", describe(kind)));
    }
    read_limited(File::open(path).map_err(|error| error.to_string())?)
}

/// All bytes, if there are not too many.
fn read_limited(from: impl Read) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    from.take(LARGEST as u64 + 1).read_to_end(&mut bytes).map_err(|error| error.to_string())?;
    if bytes.len() > LARGEST {
        return Err(format!("this is larger than the {} MB that a model may have", LARGEST >> 20));
    }
    Ok(bytes)
}

/// The same bytes, unless they are no text in an encoding that has ASCII in it. Comments may be in any such encoding.
fn as_text(bytes: Vec<u8>) -> Result<Vec<u8>, String> {
    match bytes.as_slice() {
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => Err("this is text in UTF-16; save it as UTF-8".to_owned()),
        [0x1f, 0x8b, ..] => Err("this is compressed; unpack it first".to_owned()),
        _ if bytes.contains(&0) => Err("this is no text: there are zero bytes in it".to_owned()),
        _ => Ok(bytes),
    }
}

fn describe(kind: FileType) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt;
        if kind.is_fifo() {
            return "a pipe (to read from standard input, write -)";
        }
        if kind.is_char_device() || kind.is_block_device() {
            return "a device";
        }
    }
    if kind.is_dir() { "a folder" } else { "something else" }
}
