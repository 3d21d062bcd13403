//! See `septic_fuzz::targets::segments`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| septic_fuzz::targets::segments(data));
