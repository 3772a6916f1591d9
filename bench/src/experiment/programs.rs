//! Real programs under the scheduler: Figure 4 of \[God97\] by processes, and how fast runs are.

#[cfg(target_os = "linux")]
pub use explored::{processes, speed};

#[cfg(target_os = "linux")]
mod explored;

#[cfg(not(target_os = "linux"))]
mod elsewhere {
    use check::Error;
    use std::path::Path;

    /// The remark instead of a table.
    fn remark() -> Result<String, Error> {
        Ok("# Programs can be run under control on Linux only.\n".to_owned())
    }

    /// Figure 4, where programs cannot be controlled.
    pub fn processes(_: u64, _: &Path) -> Result<String, Error> {
        remark()
    }

    /// How fast runs are, where there are none.
    pub fn speed(_: &Path) -> Result<String, Error> {
        remark()
    }
}
#[cfg(not(target_os = "linux"))]
pub use elsewhere::{processes, speed};
