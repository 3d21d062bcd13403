//! The septic curve in the minimal executor: four syscalls over the full group, the identity included.
//!
//! The handlers of the tracing machine read what these wrote, so both must agree on the order of page checks, reads and
//! writes. Words that are neither a canonical point of the curve nor the identity end the execution.

use septic_curve::{
    layout::{
        decode_point, decode_scalar, decode_verify, encode_point, POINT_WORDS, SCALAR_WORDS,
        VERIFY_WORDS,
    },
    Point,
};
use sp1_jit::{Interrupt, SyscallContext};

use crate::SyscallCode;

/// The words that a slice access returned, as an array.
fn words<'a, const N: usize>(slice: impl IntoIterator<Item = &'a u64>) -> [u64; N] {
    let mut words = [0; N];
    for (to, from) in words.iter_mut().zip(slice) {
        *to = *from;
    }
    words
}

/// The point in these words.
fn point(code: SyscallCode, words: &[u64; POINT_WORDS]) -> Point {
    decode_point(words).unwrap_or_else(|error| panic!("{code}: {error}"))
}

/// Panics unless both pointers are those of words.
fn assert_aligned(code: SyscallCode, arg1: u64, arg2: u64) {
    assert!(arg1.is_multiple_of(8) && arg2.is_multiple_of(8), "{code}: unaligned pointer");
}

/// Writes P + Q over P. The pointers may be equal, and the points too.
pub(crate) fn septic_add(
    ctx: &mut impl SyscallContext,
    p_ptr: u64,
    q_ptr: u64,
) -> Result<Option<u64>, Interrupt> {
    let code = SyscallCode::SEPTIC_ADD;
    assert_aligned(code, p_ptr, q_ptr);

    let clk = ctx.get_current_clk();
    ctx.read_slice_check(q_ptr, POINT_WORDS)?;
    ctx.bump_memory_clk();
    ctx.read_write_slice_check(p_ptr, POINT_WORDS)?;
    ctx.set_clk(clk);

    let p = point(code, &words(ctx.mr_slice_unsafe(p_ptr, POINT_WORDS)));
    let q = point(code, &words(ctx.mr_slice_without_prot(q_ptr, POINT_WORDS)));
    ctx.bump_memory_clk();
    ctx.mw_slice_without_prot(p_ptr, &encode_point(&(p + q)));
    Ok(None)
}

/// Writes 2P over P.
pub(crate) fn septic_double(
    ctx: &mut impl SyscallContext,
    p_ptr: u64,
    arg2: u64,
) -> Result<Option<u64>, Interrupt> {
    let code = SyscallCode::SEPTIC_DOUBLE;
    assert_aligned(code, p_ptr, 0);
    assert_eq!(arg2, 0, "{code}: the second argument must be 0");

    ctx.read_write_slice_check(p_ptr, POINT_WORDS)?;
    let p = point(code, &words(ctx.mr_slice_unsafe(p_ptr, POINT_WORDS)));
    ctx.mw_slice_without_prot(p_ptr, &encode_point(&p.double()));
    Ok(None)
}

/// Writes s·P over P. The scalar may be any 256-bit number and may overlap the point.
pub(crate) fn septic_scalar_mul(
    ctx: &mut impl SyscallContext,
    p_ptr: u64,
    s_ptr: u64,
) -> Result<Option<u64>, Interrupt> {
    let code = SyscallCode::SEPTIC_SCALAR_MUL;
    assert_aligned(code, p_ptr, s_ptr);

    let clk = ctx.get_current_clk();
    ctx.read_slice_check(s_ptr, SCALAR_WORDS)?;
    ctx.bump_memory_clk();
    ctx.read_write_slice_check(p_ptr, POINT_WORDS)?;
    ctx.set_clk(clk);

    let p = point(code, &words(ctx.mr_slice_unsafe(p_ptr, POINT_WORDS)));
    let s = decode_scalar(&words(ctx.mr_slice_without_prot(s_ptr, SCALAR_WORDS)));
    ctx.bump_memory_clk();
    ctx.mw_slice_without_prot(p_ptr, &encode_point(&p.mul_vartime(&s)));
    Ok(None)
}

/// Writes s·G + e·A over A, in the buffer [A, s, e].
pub(crate) fn septic_verify(
    ctx: &mut impl SyscallContext,
    ptr: u64,
    arg2: u64,
) -> Result<Option<u64>, Interrupt> {
    let code = SyscallCode::SEPTIC_VERIFY;
    assert_aligned(code, ptr, 0);
    assert_eq!(arg2, 0, "{code}: the second argument must be 0");

    ctx.read_write_slice_check(ptr, VERIFY_WORDS)?;
    let scalars_ptr = ptr + 8 * POINT_WORDS as u64;
    let mut buffer = [0; VERIFY_WORDS];
    let (a, scalars) = buffer.split_at_mut(POINT_WORDS);
    a.copy_from_slice(&words::<POINT_WORDS>(ctx.mr_slice_unsafe(ptr, POINT_WORDS)));
    scalars.copy_from_slice(&words::<{ 2 * SCALAR_WORDS }>(
        ctx.mr_slice_without_prot(scalars_ptr, 2 * SCALAR_WORDS),
    ));
    let input = decode_verify(&buffer).unwrap_or_else(|error| panic!("{code}: {error}"));
    let result = Point::mul_add_vartime(&input.s, &input.e, &input.a);
    ctx.mw_slice_without_prot(ptr, &encode_point(&result));
    Ok(None)
}
