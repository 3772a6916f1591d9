//! See `uwbmc_fuzz::trace`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| uwbmc_fuzz::trace(bytes));
