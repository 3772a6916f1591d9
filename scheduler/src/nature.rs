//! What kind of program it is, as its file shows.

use crate::imports::{keep_nothing_unseen, names_processes};
use operations::region::Sight;
use std::fs;
use std::path::Path;

/// What kind of program it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nature {
    /// Whether it can ask threads to end.
    pub cancels: bool,
    /// Whether it is written in Rust.
    pub is_rust: bool,
    /// Whether its accesses are announced that are not atomic.
    pub shows_plain: bool,
    /// Whether functions that it calls could keep something unseen, or look at it.
    pub calls_unknown: bool,
    /// Whether it could have the system do something to a process by its number.
    pub names_processes: bool,
}

/// The code that a program in Rust exits with when its main thread panics.
const PANIC: u64 = 101;

impl Nature {
    /// Looks into the file of a program.
    pub(crate) fn of(program: &Path) -> Nature {
        let bytes = fs::read(program).unwrap_or_default();
        let mentions = |name: &[u8]| bytes.windows(name.len()).any(|window| window == name);
        Nature {
            cancels: mentions(b"pthread_cancel"),
            is_rust: mentions(b"RUST_BACKTRACE"),
            shows_plain: mentions(b"__tsan_read") || mentions(b"__tsan_write"),
            calls_unknown: !keep_nothing_unseen(&bytes),
            names_processes: names_processes(&bytes),
        }
    }

    /// Whether all accesses to memory are visible, if any are. The standard library of Rust comes compiled without announcing
    /// its own: what orders accesses there is not seen, and nothing can be said about data races.
    pub fn shows_all_accesses(self) -> bool {
        !self.is_rust
    }

    /// Whether threads can communicate by accesses that are not visible.
    pub(crate) fn hides_accesses(self) -> bool {
        self.is_rust || !self.shows_plain
    }

    /// How much is known of what its loops do to memory.
    pub(crate) fn sight(self) -> Sight {
        match self.calls_unknown {
            _ if self.hides_accesses() => Sight::Hidden,
            true => Sight::Own,
            false => Sight::Full,
        }
    }

    /// Whether an exit code says that the main thread panicked.
    pub(crate) fn is_panic(self, code: u64) -> bool {
        self.is_rust && code == PANIC
    }
}
