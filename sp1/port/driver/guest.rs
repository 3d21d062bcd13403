//! The library of guests, `septic-guest`, on SP1's executor: its system calls are functions that are defined here, and each
//! executes a program that makes the syscall on the words it is given.

use std::sync::{
    atomic::{AtomicUsize, Ordering},
    Arc,
};

use septic_curve::schnorr::{ChallengeHash, SignatureError, SigningKey};
use septic_curve::{Point, Scalar, Scalar256};
use septic_guest::{verify_with, Backend, Native, SepticPoint, Syscalls};
use sp1_core_executor::SyscallCode;

use crate::{program, run, Arg2, Case, BASE};

/// Syscalls executed.
static CALLS: AtomicUsize = AtomicUsize::new(0);

/// Executes one syscall on words in memory, and writes what it leaves at the first pointer over `first`.
fn call(code: SyscallCode, first: &mut [u64], second: &[u64], arg2: Option<Arg2>) {
    CALLS.fetch_add(1, Ordering::Relaxed);
    let case = Case {
        name: "guest",
        code,
        first: first.to_vec(),
        second: second.to_vec(),
        arg2,
        // What the program's comparison says is not looked at.
        expected: Point::Identity,
    };
    let executor = run(Arc::new(program(&[case])));
    for (word, address) in first.iter_mut().zip((BASE..).step_by(8)) {
        *word = executor.get_memory_value(address).value;
    }
}

#[no_mangle]
extern "C" fn syscall_septic_add(p: &mut [u64; 7], q: &[u64; 7]) {
    call(SyscallCode::SEPTIC_ADD, p, q, None);
}

#[no_mangle]
extern "C" fn syscall_septic_double(p: &mut [u64; 7]) {
    call(SyscallCode::SEPTIC_DOUBLE, p, &[], Some(Arg2::Zero));
}

#[no_mangle]
extern "C" fn syscall_septic_scalar_mul(p: &mut [u64; 7], s: &[u64; 4]) {
    call(SyscallCode::SEPTIC_SCALAR_MUL, p, s, None);
}

#[no_mangle]
extern "C" fn syscall_septic_verify(buffer: &mut [u64; 15]) {
    call(SyscallCode::SEPTIC_VERIFY, buffer, &[], Some(Arg2::Zero));
}

/// Everything the library does with points, in words.
fn everything<B: Backend>(points: &[Point], scalars: &[Scalar256]) -> Vec<[u64; 7]> {
    let mut out = Vec::new();
    for &p in points {
        let p = SepticPoint::<B>::from(p);
        out.push(p.double());
        out.extend(points.iter().flat_map(|&q| [p + q.into(), p - q.into()]));
        for s in scalars {
            out.push(p * *s);
            out.extend(scalars.iter().map(|e| SepticPoint::mul_add(s, e, &p)));
        }
    }
    out.iter().map(|point| *point.words()).collect()
}

/// Compares the library on SP1's executor with the library on plain software, signatures included.
pub fn compare() {
    let g = Point::GENERATOR;
    let minus_one = Scalar256::from(-Scalar::from(1));
    let points = [g, -g, g.double(), Point::Identity];
    let scalars = [Scalar256::ZERO, Scalar256::from(2), Scalar256::MAX, minus_one];
    assert_eq!(everything::<Syscalls>(&points, &scalars), everything::<Native>(&points, &scalars));

    for hash in [ChallengeHash::Sha256, ChallengeHash::Poseidon2] {
        for secret in [1, 2, 12_345] {
            let key = SigningKey::from_scalar(Scalar::from(secret)).expect("not zero");
            let public = key.verifying_key();
            let signature = key.sign_with(hash, b"SELL 3 ETH", None);
            let check = |message: &[u8]| verify_with::<Syscalls>(hash, &public, message, &signature);
            assert_eq!(check(b"SELL 3 ETH"), Ok(()));
            assert_eq!(check(b"SELL 4 ETH"), Err(SignatureError::Mismatch));
        }
    }
    println!("the guest's library made {} syscalls", CALLS.load(Ordering::Relaxed));
}
