//! The library that is preloaded into programs, as bytes.
//!
//! With `--cfg uwbmc_preload` this crate is that library itself: its functions stand in for those of libpthread, and
//! each of them is an operation that the scheduler decides about. See `preload`.

#![cfg_attr(uwbmc_preload, no_std)]

#[cfg(uwbmc_preload)]
mod preload;

/// The library; empty where programs cannot be controlled.
#[cfg(not(uwbmc_preload))]
pub static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libuwbmc_preload.so"));

/// What programs can include: `uwbmc.h`.
#[cfg(not(uwbmc_preload))]
pub static HEADER: &str = include_str!("uwbmc.h");
