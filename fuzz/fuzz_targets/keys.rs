//! See `septic_fuzz::targets::keys`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| septic_fuzz::targets::keys(data));
