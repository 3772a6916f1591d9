//! Running programs: what people see of the runs that the crate `scheduler` finds.

mod compile;
mod document;
mod links;
mod names;
mod places;
mod rust;
mod scratch;
mod system;
mod verdict;

pub use compile::{Compiled, compile, is_source};
pub use document::{choices, document};
pub use names::Names;
pub use places::{Place, Places};
pub use rust::Accesses;
pub use system::System;
pub use verdict::{headline, livelock_bound, reason, violation};
