//! Fingerprints of the chips. A fingerprint changes with every constraint, label, row kind, declared set of columns, and
//! with the order of constraints and columns; rewriting an expression as an equal one keeps it.
//!
//! Evaluates without a proving stack, so it is the same with and without the feature `p3`.

use septic_chips::columns::ColumnSet;
use septic_chips::params::{CurveParams, PointResidues, Residues, Septic as SepticParams};
use septic_chips::septic_curve::p3_field::{PrimeCharacteristicRing, PrimeField32};
use septic_chips::septic_curve::{DEGREE, Fp7, KoalaBear, Septic};
use septic_chips::sink::{ConstraintSink, Label};
use septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};

/// The fingerprint of each chip.
const PINNED: [(&str, &str); 4] = [
    ("add", "082976b82ff2a7a8218abed74efd6ed9124aca4f725fbe8c6f9dbf45"),
    ("double", "6f4a8e2925e5a5fa19877c4b5b0c790206729ffc2ce204556a08ff39"),
    ("scalar_mul", "0870dfd2160d7cf6516574605839ec407614ff91606381fb66a28f40"),
    ("verify", "7478445621abf43435a8f0282364046729d05d942df1d6b027aea5a7"),
];

/// A fixed sequence of field elements (splitmix64).
pub(crate) struct Sequence(pub(crate) u64);

impl Sequence {
    pub(crate) fn next(&mut self) -> KoalaBear {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        KoalaBear::from_u64(z ^ (z >> 31))
    }

    pub(crate) fn take(&mut self, n: usize) -> Vec<KoalaBear> {
        (0..n).map(|_| self.next()).collect()
    }
}

/// Values for everything that a chip's constraints read.
#[derive(Clone, Debug)]
pub(crate) struct Assignment {
    pub(crate) local: Vec<KoalaBear>,
    pub(crate) next: Vec<KoalaBear>,
    pub(crate) flags: Vec<KoalaBear>,
    pub(crate) parameters: Vec<KoalaBear>,
}

impl Assignment {
    /// Elements of the sequence that starts at `seed`.
    pub(crate) fn of<C: Chip>(seed: u64) -> Self {
        let mut sequence = Sequence(seed);
        Self {
            local: sequence.take(C::WIDTH),
            next: sequence.take(C::WIDTH),
            flags: sequence.take(C::NUM_FLAGS),
            parameters: sequence.take(C::NUM_PARAMETERS),
        }
    }
}

struct ValueSink(Vec<(Label, KoalaBear)>);

impl ConstraintSink for ValueSink {
    type Expr = KoalaBear;

    fn constant(&self, c: u32) -> KoalaBear {
        KoalaBear::new(c)
    }

    fn assert_zero(&mut self, label: Label, x: KoalaBear) {
        self.0.push((label, x));
    }

    fn assert_septic(&mut self, label: Label, x: Septic<KoalaBear>) {
        self.0.extend(x.0.map(|x| (label, x)));
    }
}

/// The values of all constraints, in the order in which they are asserted.
pub(crate) fn evaluate<C: Chip>(assignment: &Assignment) -> Vec<(Label, KoalaBear)> {
    let mut sink = ValueSink(Vec::new());
    let local = C::Cols::from_fn(|i| assignment.local[i]);
    let next = C::Cols::from_fn(|i| assignment.next[i]);
    let flags = C::Flags::from_fn(|i| assignment.flags[i]);
    C::eval(&mut sink, &local, &next, &flags, &assignment.parameters);
    sink.0
}

/// Evaluation of a polynomial at a fixed element of the septic extension: different short sequences of field elements
/// have different digests unless made for that purpose.
struct Digest {
    point: Fp7,
    value: Fp7,
}

impl Digest {
    fn new() -> Self {
        let mut sequence = Sequence(7);
        Self { point: Fp7::from_fn(|_| sequence.next()), value: Fp7::from_fn(|_| KoalaBear::ZERO) }
    }

    fn push(&mut self, x: KoalaBear) {
        self.value *= self.point;
        self.value.0[0] += x;
    }

    fn push_number(&mut self, n: usize) {
        self.push(KoalaBear::from_usize(n));
    }

    fn push_all(&mut self, numbers: impl ExactSizeIterator<Item = usize>) {
        self.push_number(numbers.len());
        numbers.for_each(|n| self.push_number(n));
    }

    fn push_text(&mut self, text: &str) {
        self.push_all(text.bytes().map(usize::from));
    }

    fn hex(&self) -> String {
        (0..DEGREE).map(|i| format!("{:08x}", self.value.0[i].as_canonical_u32())).collect()
    }
}

/// The fingerprint of a chip, 56 hexadecimal digits.
pub(crate) fn fingerprint<C: Chip>() -> String {
    let mut digest = Digest::new();
    digest.push_text(C::OPERATION.name());
    digest.push_text(C::LAYOUT);
    digest.push_all([C::WIDTH, C::ROWS_PER_EVENT, C::NUM_FLAGS, C::NUM_PARAMETERS].into_iter());
    digest.push_all(C::NEXT_ROW_COLUMNS.iter().copied());
    digest.push_all(C::INSTANCE_COLUMNS.iter().copied());
    for column in C::flag_columns() {
        digest.push_number(column.len());
        column.into_iter().for_each(|cell| digest.push(KoalaBear::new(cell)));
    }
    // A constraint that is not the same polynomial has another value at four points with probability 1 − 2^−117.
    for seed in 1..=4 {
        let values = evaluate::<C>(&Assignment::of::<C>(seed));
        digest.push_number(values.len());
        for (label, value) in values {
            digest.push_text(label.0);
            digest.push(value);
        }
    }
    digest.hex()
}

#[test]
fn fingerprints_are_pinned() {
    let found = [
        ("add", fingerprint::<AddChip>()),
        ("double", fingerprint::<DoubleChip>()),
        ("scalar_mul", fingerprint::<ScalarMulChip>()),
        ("verify", fingerprint::<VerifyChip>()),
    ];
    let found = found.each_ref().map(|(name, hex)| (*name, hex.as_str()));
    assert_eq!(found, PINNED, "the circuit changed: say so in the changelog and raise the protocol version");
}

/// The curve of the chips with one constant changed.
#[derive(Clone, Copy, Debug, Default)]
struct Changed<const WHICH: usize>;

const fn plus_one(mut points: [PointResidues; 2], changed: bool) -> [PointResidues; 2] {
    if changed {
        points[1][0][6] += 1;
    }
    points
}

impl<const WHICH: usize> CurveParams for Changed<WHICH> {
    const A: u32 = SepticParams::A + (WHICH == 1) as u32;
    const B: Residues = {
        let mut b = SepticParams::B;
        b[3] += (WHICH == 2) as u32;
        b
    };
    const OFFSETS: [PointResidues; 2] = plus_one(SepticParams::OFFSETS, WHICH == 3);
    const SCALAR_MUL_CORRECTIONS: [PointResidues; 2] =
        plus_one(SepticParams::SCALAR_MUL_CORRECTIONS, WHICH == 4);
    const VERIFY_CORRECTIONS: [PointResidues; 2] = plus_one(SepticParams::VERIFY_CORRECTIONS, WHICH == 5);
    const HALF_GENERATOR: PointResidues = plus_one([SepticParams::HALF_GENERATOR; 2], WHICH == 6)[1];
}

#[test]
fn fingerprints_notice_every_constant() {
    /// Which of the chips ADD, DOUBLE, SCALAR_MUL, VERIFY changed.
    fn changes<C: CurveParams>() -> [bool; 4] {
        [
            fingerprint::<AddChip<C>>() != fingerprint::<AddChip>(),
            fingerprint::<DoubleChip<C>>() != fingerprint::<DoubleChip>(),
            fingerprint::<ScalarMulChip<C>>() != fingerprint::<ScalarMulChip>(),
            fingerprint::<VerifyChip<C>>() != fingerprint::<VerifyChip>(),
        ]
    }
    assert_eq!(changes::<Changed<0>>(), [false; 4]);
    assert_eq!(changes::<Changed<1>>(), [true; 4]);
    // The ladder's chips learn that T is on the curve from the offsets, not from b.
    assert_eq!(changes::<Changed<2>>(), [true, true, false, false]);
    assert_eq!(changes::<Changed<3>>(), [false, false, true, true]);
    assert_eq!(changes::<Changed<4>>(), [false, false, true, false]);
    assert_eq!(changes::<Changed<5>>(), [false, false, false, true]);
    assert_eq!(changes::<Changed<6>>(), [false, false, false, true]);
}
