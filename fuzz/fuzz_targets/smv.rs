//! See `uwbmc_fuzz::smv`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| uwbmc_fuzz::smv(bytes));
