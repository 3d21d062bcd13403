//! Who does the arithmetic.

use septic_curve::layout::{
    POINT_WORDS, SCALAR_WORDS, VERIFY_WORDS, decode_point, decode_scalar, decode_verify, encode_point,
};
use septic_curve::{Point, PointError};

/// The four operations on words in memory.
///
/// An implementation ends the execution (panics, or traps) if a point is not canonical or not on the curve; it never
/// writes a result for one.
pub trait Backend: 'static {
    /// P + Q over P.
    fn add(p: &mut [u64; POINT_WORDS], q: &[u64; POINT_WORDS]);

    /// 2P over P.
    fn double(p: &mut [u64; POINT_WORDS]);

    /// s·P over P, for any 256-bit s.
    fn scalar_mul(p: &mut [u64; POINT_WORDS], s: &[u64; SCALAR_WORDS]);

    /// s·G + e·A over A, of [A, s, e].
    fn verify(buffer: &mut [u64; VERIFY_WORDS]);
}

/// Plain software. Variable time: not for secrets.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

/// What the program's target offers: [`Native`] outside of a zkVM.
#[cfg(not(target_os = "zkvm"))]
pub type Platform = Native;

/// What the program's target offers: system calls.
#[cfg(target_os = "zkvm")]
pub type Platform = crate::zkvm::Syscalls;

/// The point of words that an operation was called with.
#[track_caller]
fn operand(point: Result<Point, PointError>) -> Point {
    match point {
        Ok(point) => point,
        Err(error) => panic!("an operand is no point of the curve: {error}"),
    }
}

impl Backend for Native {
    fn add(p: &mut [u64; POINT_WORDS], q: &[u64; POINT_WORDS]) {
        *p = encode_point(&(operand(decode_point(p)) + operand(decode_point(q))));
    }

    fn double(p: &mut [u64; POINT_WORDS]) {
        *p = encode_point(&operand(decode_point(p)).double());
    }

    fn scalar_mul(p: &mut [u64; POINT_WORDS], s: &[u64; SCALAR_WORDS]) {
        *p = encode_point(&operand(decode_point(p)).mul_vartime(&decode_scalar(s)));
    }

    fn verify(buffer: &mut [u64; VERIFY_WORDS]) {
        let input = match decode_verify(buffer) {
            Ok(input) => input,
            Err(error) => panic!("an operand is no point of the curve: {error}"),
        };
        let result = Point::mul_add_vartime(&input.s, &input.e, &input.a);
        buffer[..POINT_WORDS].copy_from_slice(&encode_point(&result));
    }
}
