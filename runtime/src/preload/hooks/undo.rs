//! `SEM_UNDO`: what a process has done to semaphores of System V is undone when it ends.

use crate::preload::finish::unsupported;
use crate::preload::turn::visible;
use operations::{Key, Kind, Op};

/// As many semaphores can have something undone.
const MOST: usize = 64;

const NONE: [(Key, i32); MOST] = [(Key { process: 0, address: 0 }, 0); MOST];

/// The semaphores, and by how much each is changed at the end.
static mut CHANGES: [(Key, i32); MOST] = NONE;

/// A change that is to be undone was made.
pub unsafe fn remember(semaphore: Key, by: i32) {
    let is_its = |index: &usize| CHANGES[*index].0 == semaphore && CHANGES[*index].1 != 0;
    let place = (0..MOST).find(is_its).or_else(|| (0..MOST).find(|index| CHANGES[*index].1 == 0));
    let Some(place) = place else { unsupported("semop with SEM_UNDO on more than 64 semaphores") };
    CHANGES[place] = (semaphore, CHANGES[place].1 - by);
}

/// A process that was just created has nothing to undo.
pub unsafe fn forget() {
    CHANGES = NONE;
}

/// The process ends.
pub unsafe fn undo() {
    let changes = CHANGES;
    forget();
    for (semaphore, by) in changes {
        // A count that would become negative stays 0.
        let kind = if by > 0 { Kind::SemaphorePost } else { Kind::SemaphoreTry };
        for _ in 0..by.unsigned_abs() {
            visible(Op::on(kind, semaphore));
        }
    }
}
