//! See `septic_fuzz::targets::machine_proof`.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| septic_fuzz::targets::machine_proof(data));
