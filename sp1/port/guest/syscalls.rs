//! The syscalls of the septic curve. All of them are exact for every point of the group, the identity (all words zero)
//! included. A point with a limb that is not below the characteristic, or not on the curve, ends the execution.

/// Makes a syscall.
#[cfg(target_os = "zkvm")]
fn call(code: u32, arg1: usize, arg2: usize) {
    // SAFETY: The syscall accesses the memory behind its arguments only; the compiler takes all of it for changed.
    unsafe {
        core::arch::asm!("ecall", in("t0") code, in("a0") arg1, in("a1") arg2);
    }
}

#[cfg(not(target_os = "zkvm"))]
fn call(_code: u32, _arg1: usize, _arg2: usize) {
    unreachable!()
}

/// Writes P + Q over P. Both pointers may be equal.
#[no_mangle]
pub extern "C" fn syscall_septic_add(p: *mut [u64; 7], q: *const [u64; 7]) {
    call(crate::syscalls::SEPTIC_ADD, p as usize, q as usize);
}

/// Writes 2P over P.
#[no_mangle]
pub extern "C" fn syscall_septic_double(p: *mut [u64; 7]) {
    call(crate::syscalls::SEPTIC_DOUBLE, p as usize, 0);
}

/// Writes s·P over P. The scalar is any 256-bit number, low word first.
#[no_mangle]
pub extern "C" fn syscall_septic_scalar_mul(p: *mut [u64; 7], s: *const [u64; 4]) {
    call(crate::syscalls::SEPTIC_SCALAR_MUL, p as usize, s as usize);
}

/// Writes s·G + e·A over A, in the buffer [A (7 words), s (4), e (4)].
#[no_mangle]
pub extern "C" fn syscall_septic_verify(buffer: *mut [u64; 15]) {
    call(crate::syscalls::SEPTIC_VERIFY, buffer as usize, 0);
}
