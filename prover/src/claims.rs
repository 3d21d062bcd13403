//! Digests of claims: what binds a statement to the Fiat–Shamir transcript.
//!
//! Instance columns are compared at the out-of-domain point, so they must be fixed before that point is drawn. Plonky3
//! absorbs no periodic columns; it absorbs public values. The digest of all claims is therefore a public value.

use p3_field::PrimeCharacteristicRing;
use p3_koala_bear::default_koalabear_poseidon2_16;
use p3_symmetric::CryptographicHasher;
use septic_trace::septic_chips::Operation;
use septic_trace::septic_curve::{Point, Scalar256};
use septic_trace::{AddEvent, Claim, DoubleEvent, ScalarMulEvent, VerifyEvent};

use crate::config::{ConfigName, RowHash, Val};

/// Number of field elements of a digest.
pub const DIGEST_LEN: usize = 8;

/// A digest: eight elements of the output of the Poseidon2 sponge.
pub type Digest = [Val; DIGEST_LEN];

/// Version of the statement's encoding and of the circuits. Proofs of other versions are rejected.
pub const PROTOCOL_VERSION: u32 = 1;

/// Bytes of the domain tag, one element each.
const DOMAIN: &[u8; 16] = b"septic-air claim";

/// Claims of one operation as a sequence of field elements of fixed length.
pub trait EncodeEvent {
    /// Appends the event's elements.
    fn encode(&self, out: &mut Vec<Val>);
}

/// A point: 1 and its coordinates, or fifteen zeros for the identity.
pub(crate) fn encode_point(point: Point, out: &mut Vec<Val>) {
    match point {
        Point::Identity => out.extend([Val::ZERO; 15]),
        Point::Affine(p) => {
            out.push(Val::ONE);
            out.extend(p.x().0);
            out.extend(p.y().0);
        }
    }
}

/// A scalar: sixteen 16-bit limbs, low first.
fn encode_scalar(s: &Scalar256, out: &mut Vec<Val>) {
    out.extend((0..16).map(|l| Val::from_u16(s.limb16(l))));
}

impl EncodeEvent for AddEvent {
    fn encode(&self, out: &mut Vec<Val>) {
        encode_point(self.p, out);
        encode_point(self.q, out);
    }
}

impl EncodeEvent for DoubleEvent {
    fn encode(&self, out: &mut Vec<Val>) {
        encode_point(self.p, out);
    }
}

impl EncodeEvent for ScalarMulEvent {
    fn encode(&self, out: &mut Vec<Val>) {
        encode_point(self.p, out);
        encode_scalar(&self.s, out);
    }
}

impl EncodeEvent for VerifyEvent {
    fn encode(&self, out: &mut Vec<Val>) {
        encode_point(self.a, out);
        encode_scalar(&self.s, out);
        encode_scalar(&self.e, out);
    }
}

/// The operation's number in encodings.
pub(crate) fn operation_tag(operation: Operation) -> Val {
    Val::from_u8(match operation {
        Operation::Add => 0,
        Operation::Double => 1,
        Operation::ScalarMul => 2,
        Operation::Verify => 3,
    })
}

/// The configuration's number in encodings.
pub(crate) fn config_tag(config: ConfigName) -> Val {
    Val::from_u8(match config {
        ConfigName::Secure => 0,
        ConfigName::Benchmark => 1,
        ConfigName::Testing => 2,
    })
}

/// A number below 2^48 as two elements of 24 bits.
pub(crate) fn encode_len(n: usize) -> [Val; 2] {
    [Val::from_usize(n & 0xff_ffff), Val::from_usize(n >> 24)]
}

/// Hashes a sequence of field elements. The caller makes it prefix-free.
pub(crate) fn hash(elements: Vec<Val>) -> Digest {
    RowHash::new(default_koalabear_poseidon2_16()).hash_iter(elements)
}

/// The digest of a chip's statement: domain, versions, configuration, operation, context, claims, offsets.
///
/// `context` is what else the proof belongs to; zeros for a proof that stands alone. The sequence starts with its
/// counts, so none is a prefix of another.
pub(crate) fn statement<E: EncodeEvent>(
    config: ConfigName,
    operation: Operation,
    context: &Digest,
    claims: &[Claim<E>],
    second_offsets: &[usize],
) -> Digest {
    let mut elements: Vec<Val> = Vec::with_capacity(64 + claims.len() * 64 + 2 * second_offsets.len());
    elements.extend(DOMAIN.iter().map(|&b| Val::from_u8(b)));
    elements.push(Val::from_u32(PROTOCOL_VERSION));
    elements.push(config_tag(config));
    elements.push(operation_tag(operation));
    elements.extend(encode_len(claims.len()));
    elements.extend(encode_len(second_offsets.len()));
    elements.extend(context);
    for claim in claims {
        claim.event.encode(&mut elements);
        encode_point(claim.out, &mut elements);
    }
    elements.extend(second_offsets.iter().flat_map(|&i| encode_len(i)));
    hash(elements)
}

/// The digest of the order of operations in a mixed list.
pub(crate) fn order(operations: impl ExactSizeIterator<Item = Operation>) -> Digest {
    let mut elements: Vec<Val> = b"septic-air order".iter().map(|&b| Val::from_u8(b)).collect();
    elements.extend(encode_len(operations.len()));
    elements.extend(operations.map(operation_tag));
    hash(elements)
}

#[cfg(test)]
mod tests {
    use p3_field::PrimeField32;
    use septic_trace::{AddEvent, Execute};

    use super::*;

    fn claim() -> Claim<AddEvent> {
        let g = Point::GENERATOR;
        Claim { event: AddEvent { p: g, q: g.double() }, out: g + g.double() }
    }

    /// Each argument of the statement changes its digest.
    #[test]
    fn every_part_of_a_statement_counts() {
        let (claims, context) = ([claim(), claim()], Digest::default());
        let mut other_context = context;
        other_context[7] = Val::ONE;
        let of = |config, operation, context: &Digest, claims: &[Claim<AddEvent>], second: &[usize]| {
            statement(config, operation, context, claims, second)
        };
        let base = of(ConfigName::Secure, Operation::Add, &context, &claims, &[1]);
        let others = [
            of(ConfigName::Benchmark, Operation::Add, &context, &claims, &[1]),
            of(ConfigName::Testing, Operation::Add, &context, &claims, &[1]),
            of(ConfigName::Secure, Operation::Double, &context, &claims, &[1]),
            of(ConfigName::Secure, Operation::Add, &other_context, &claims, &[1]),
            of(ConfigName::Secure, Operation::Add, &context, &claims[..1], &[1]),
            of(ConfigName::Secure, Operation::Add, &context, &[], &[1]),
            of(ConfigName::Secure, Operation::Add, &context, &claims, &[0]),
            of(ConfigName::Secure, Operation::Add, &context, &claims, &[]),
            of(ConfigName::Secure, Operation::Add, &context, &claims, &[0, 1]),
        ];
        for (i, other) in others.iter().enumerate() {
            assert_ne!(*other, base, "variant {i}");
        }
    }

    /// The encoding of version 1. Another value here means another protocol version.
    #[test]
    fn encoding_is_pinned() {
        assert_eq!(PROTOCOL_VERSION, 1);
        assert_eq!(claim().event.execute(), claim().out);
        let digest = statement(ConfigName::Secure, Operation::Add, &Digest::default(), &[claim()], &[]);
        assert_eq!(digest.map(|x| x.as_canonical_u32()), PINNED);
        let order = order([Operation::Add, Operation::Verify].into_iter());
        assert_eq!(order.map(|x| x.as_canonical_u32()), PINNED_ORDER);
    }

    const PINNED: [u32; 8] =
        [363289107, 625943973, 1279502051, 1900018151, 125526726, 1601915043, 112222632, 475013638];
    const PINNED_ORDER: [u32; 8] =
        [165727676, 192039396, 490071839, 520613039, 439299095, 149425279, 1409595231, 1935457051];
}
