//! See `uwbmc_fuzz::promela`.
#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| uwbmc_fuzz::promela(bytes));
