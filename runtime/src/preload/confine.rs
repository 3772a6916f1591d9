//! What the program may use, and a wall around it if one is asked for.

use super::shared::get;
use super::sys;
use operations::region::input;

/// What this process exits with if there can be no wall.
pub const NO_WALL: i32 = 124;

/// Limits this process and those that it creates.
pub unsafe fn confine() {
    const CORE: u64 = 4;
    const ADDRESS_SPACE: u64 = 9;
    // A crash is found, and leaves nothing behind.
    sys::limit(CORE, 0);
    if get(input::MEMORY) != 0 {
        sys::limit(ADDRESS_SPACE, get(input::MEMORY));
    }
    if get(input::SANDBOX) != 0 && !wall_off() {
        sys::exit_group(NO_WALL);
    }
}

/// Namespaces of users, mounts, System V objects and networks of its own, in which no file can be changed: what is open
/// stays as it is.
unsafe fn wall_off() -> bool {
    const USERS: u64 = 0x1000_0000;
    const MOUNTS: u64 = 0x0002_0000;
    const OBJECTS: u64 = 0x0800_0000;
    const NETWORKS: u64 = 0x4000_0000;
    sys::unshare(USERS | MOUNTS | OBJECTS | NETWORKS) && sys::mount_for_reading()
}
