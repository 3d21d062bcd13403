//! The system calls. The one place with `unsafe`: calls of functions that are defined elsewhere.
#![allow(unsafe_code)]

use septic_curve::layout::{POINT_WORDS, SCALAR_WORDS, VERIFY_WORDS};

use crate::Backend;

// SAFETY: these are the signatures of SP1's entry point with the septic precompiles (`docs/upstreaming.md`).
unsafe extern "C" {
    fn syscall_septic_add(p: *mut [u64; POINT_WORDS], q: *const [u64; POINT_WORDS]);
    fn syscall_septic_double(p: *mut [u64; POINT_WORDS]);
    fn syscall_septic_scalar_mul(p: *mut [u64; POINT_WORDS], s: *const [u64; SCALAR_WORDS]);
    fn syscall_septic_verify(buffer: *mut [u64; VERIFY_WORDS]);
}

/// The system calls of SP1's septic precompiles.
#[derive(Clone, Copy, Debug, Default)]
pub struct Syscalls;

impl Backend for Syscalls {
    fn add(p: &mut [u64; POINT_WORDS], q: &[u64; POINT_WORDS]) {
        // SAFETY: both pointers are those of references: aligned, valid for the words that the call reads and writes, and
        // disjoint.
        unsafe { syscall_septic_add(p, q) };
    }

    fn double(p: &mut [u64; POINT_WORDS]) {
        // SAFETY: as above.
        unsafe { syscall_septic_double(p) };
    }

    fn scalar_mul(p: &mut [u64; POINT_WORDS], s: &[u64; SCALAR_WORDS]) {
        // SAFETY: as above.
        unsafe { syscall_septic_scalar_mul(p, s) };
    }

    fn verify(buffer: &mut [u64; VERIFY_WORDS]) {
        // SAFETY: as above.
        unsafe { syscall_septic_verify(buffer) };
    }
}
