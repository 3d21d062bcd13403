//! Completeness under attack: every input has a trace, and its result is the native one.
//!
//! Inputs are those that a hostile caller would try: points related to the constants of the chips, scalars at every
//! boundary of the digits' forms, and bases computed so that the accumulator of a chosen row meets an exceptional
//! case of the group law with one of the offsets.

use std::sync::LazyLock;

use septic_chips::ladder::{CORRECTION_ROW, DIGITS, OUTPUT_ROW, ROWS};
use septic_chips::params::Septic;
use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{AffinePoint, KoalaBear, Point, Scalar, Scalar256, params};
use septic_trace::{AddEvent, Claim, DoubleEvent, ScalarMulEvent, TraceChip, VerifyEvent};

use crate::block::{LadderChip, Plan};
use crate::integer::{
    Digits, Limbs, all_ones, combine, limbs, order, power_of_two, signed_wrap, to_scalar, unsigned_wrap,
};
use crate::support::{Coordinates, Random, multiple, scalar, times};

/// Events of one trace.
const BATCH: usize = 512;

/// What a list of events came to.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Count {
    pub(crate) events: usize,
    /// How many needed the second offset.
    pub(crate) second_offsets: usize,
}

/// Generates traces of all events, checks every constraint and every instance cell, and compares all results.
fn prove_all<C: TraceChip>(events: &[C::Event]) -> Count {
    let mut count = Count::default();
    for events in events.chunks(BATCH) {
        let trace = C::generate_trace(events).unwrap_or_else(|error| panic!("{error}: {events:?}"));
        let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
        for (claim, out) in claims.iter().zip(&trace.outputs) {
            assert_eq!(claim.out, *out, "{:?}", claim.event);
        }
        let violations = [trace.violations(), trace.instance_violations(&claims)].concat();
        if let Some(violation) = violations.first() {
            panic!("{violation}: {:?}", violation.event.map(|event| claims[event]));
        }
        count.events += events.len();
        count.second_offsets += trace.second_offsets.len();
    }
    count
}

/// Small multiples of G, the identity, and points related to the chips' constants.
fn points() -> Vec<Point> {
    let mut points: Vec<Point> = (-64..=64).map(multiple).collect();
    let (half, third) = (scalar(2).invert().unwrap(), scalar(3).invert().unwrap());
    let h = Point::from(params::HALF_GENERATOR);
    let constants = [params::OFFSETS, params::SCALAR_MUL_CORRECTIONS, params::VERIFY_CORRECTIONS].concat();
    let mut related: Vec<Point> = constants
        .iter()
        .flat_map(|&c| {
            let c = Point::from(c);
            [c, times(half, c), c.double(), times(third, c), h - c.double(), h + c.double(), h - c]
        })
        .collect();
    related.extend([h, times(half, h), times(third, h), times(third, Point::GENERATOR)]);
    related.extend([params::DUMMY, params::DIGEST_START].map(Point::from));
    // x = 0 is on the curve.
    related.push(septic_curve::lift_x(septic_curve::Fp7::default()).unwrap().into());
    points.extend(related.iter().flat_map(|&point| [point, -point]));
    points
}

/// Scalars at and around every boundary.
fn boundary_scalars() -> Vec<Scalar256> {
    let (r, q, q_unsigned) = (order(), signed_wrap(), unsigned_wrap());
    let (ones, one, max) = (all_ones(), power_of_two(0), limbs(&Scalar256::MAX));
    let powers = [16, 217, 240, 253, 254, 255].map(power_of_two);
    let mut centers: Vec<Limbs> = powers.to_vec();
    let mut center = |terms: &[(i64, &Limbs)]| centers.extend(combine(terms));
    for k in 0..=4 {
        center(&[(k, &r)]);
        center(&[(k, &q_unsigned)]);
    }
    for k in 1..=2 {
        for parity in 0..=1 {
            for edge in -1..=1 {
                center(&[(k, &q), (parity, &r), (edge, &ones)]);
            }
        }
    }
    center(&[(1, &ones), (1, &r)]);
    center(&[(1, &max)]);
    center(&[(1, &max), (-1, &r)]);
    let mut scalars: Vec<Scalar256> = centers
        .iter()
        .flat_map(|center| (-2..=2).filter_map(|by| combine(&[(1, center), (by, &one)])))
        .map(|limbs| to_scalar(&limbs))
        .collect();
    // Limbs of ones.
    scalars.extend((0..16).map(|l| to_scalar(&combine(&[(0xffff, &power_of_two(16 * l))]).unwrap())));
    scalars.push(to_scalar(&core::array::from_fn(|i| if i % 2 == 0 { 0xffff } else { 0 })));
    scalars.push(to_scalar(&core::array::from_fn(|i| if i % 2 == 1 { 0xffff } else { 0 })));
    scalars
}

/// Boundary, tiny and random scalars in turn.
fn scalars(random: &mut Random) -> impl FnMut() -> Scalar256 {
    let boundary = boundary_scalars();
    let mut turn = 0;
    move || {
        turn += 1;
        match turn % 4 {
            0 => random.scalar(),
            1 => Scalar256::from(random.number() % 130),
            _ => boundary[random.below(boundary.len())],
        }
    }
}

/// A combination of an offset, the base and H: what the ladder computes with, as numbers modulo the order.
#[derive(Clone, Copy, Debug)]
struct Combination {
    offset: Scalar,
    base: Scalar,
    h: Scalar,
}

impl Combination {
    fn new(offset: i64, base: i64, h: i64) -> Self {
        Self { offset: scalar(offset), base: scalar(base), h: scalar(h) }
    }

    fn plus(self, other: Self) -> Self {
        Self { offset: self.offset + other.offset, base: self.base + other.base, h: self.h + other.h }
    }

    fn minus(self, other: Self) -> Self {
        Self { offset: self.offset - other.offset, base: self.base - other.base, h: self.h - other.h }
    }

    /// The base for which the combination is 𝒪, if it depends on the base.
    fn base_for_zero(self, offset: AffinePoint) -> Option<Point> {
        let factor = -self.base.invert()?;
        Some(times(self.offset * factor, offset) + times(self.h * factor, params::HALF_GENERATOR))
    }
}

/// What meets what on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Collision {
    /// acc = −σT: no slope.
    Opposite,
    /// acc = σT: the tangent.
    Equal,
    /// 2·acc + σT = 𝒪: no second slope.
    Vanishing,
    /// 2·acc + σT = τH: no third slope.
    Generator,
    /// 2·acc + σT = −τH: the next acc would be 𝒪.
    OppositeGenerator,
    /// acc + σT = −τH, which is harmless.
    Halfway,
}

impl Collision {
    fn all<C: LadderChip>() -> &'static [Self] {
        let all = &[
            Self::Opposite,
            Self::Equal,
            Self::Vanishing,
            Self::Generator,
            Self::OppositeGenerator,
            Self::Halfway,
        ];
        if C::WITH_GENERATOR { all } else { &all[..3] }
    }

    /// Whether no slopes exist on a digit row.
    fn is_exceptional(self) -> bool {
        !matches!(self, Self::Equal | Self::Halfway)
    }
}

/// The combination that vanishes in a collision on a row, for the digits of an event.
fn collision(row: usize, kind: Collision, e: &Digits, s: Option<&Digits>) -> Combination {
    let sign = |digits: &Digits, row: usize| 2 * digits.digits[row] - 1;
    let tau = |row: usize| s.map_or(0, |s| sign(s, row));
    let mut acc = Combination::new(1, 0, 0);
    for i in 0..row.min(DIGITS) {
        acc = acc.plus(acc).plus(Combination::new(0, sign(e, i), tau(i)));
    }
    // 2^254·B_j − (2^254 − 1)·H, the second part in VERIFY only.
    let correction = || {
        let mut correction = Combination::new(1, 0, 0);
        for _ in 0..DIGITS {
            correction =
                correction.plus(correction).plus(Combination::new(0, 0, if s.is_some() { -1 } else { 0 }));
        }
        correction
    };
    // σT with the sign that row has when nothing special happens.
    let (acc, t) = match row {
        CORRECTION_ROW => (acc, Combination::new(0, 0, 0).minus(correction())),
        OUTPUT_ROW => {
            let result = acc.minus(correction());
            (result, result)
        }
        _ => (acc, Combination::new(0, sign(e, row), 0)),
    };
    let h = Combination::new(0, 0, if row < DIGITS { tau(row) } else { i64::from(s.is_some()) });
    match kind {
        Collision::Opposite => acc.plus(t),
        Collision::Equal => acc.minus(t),
        Collision::Vanishing => acc.plus(acc).plus(t),
        Collision::Generator => acc.plus(acc).plus(t).minus(h),
        Collision::OppositeGenerator => acc.plus(acc).plus(t).plus(h),
        Collision::Halfway => acc.plus(t).plus(h),
    }
}

/// An event that collides on a row if it starts from one of the offsets.
#[derive(Clone, Copy, Debug)]
struct Colliding {
    base: Point,
    e: Scalar256,
    s: Scalar256,
    row: usize,
    kind: Collision,
    offset: usize,
}

impl Colliding {
    fn new<C: LadderChip>(
        (row, kind, offset): (usize, Collision, usize),
        (e, s): (Scalar256, Scalar256),
    ) -> Option<Self> {
        let digits = Digits::signed(&[(1, &limbs(&e))]);
        let digits_g = C::WITH_GENERATOR.then(|| Digits::unsigned(&limbs(&s)));
        let meets = collision(row, kind, &digits, digits_g.as_ref());
        let base = meets.base_for_zero(params::OFFSETS[offset])?;
        Some(Self { base, e, s, row, kind, offset })
    }
}

/// Events that collide on every row in every way against either offset: with random scalars, and on rows of every
/// kind with zeros besides.
fn colliding_events<C: LadderChip<Curve = Septic>>() -> Vec<Colliding> {
    let mut random = Random::new(5);
    let zeros = (Scalar256::ZERO, Scalar256::ZERO);
    let mut events = Vec::new();
    for row in 0..ROWS {
        for &kind in Collision::all::<C>() {
            for offset in 0..2 {
                let place = (row, kind, offset);
                events.extend(Colliding::new::<C>(place, (random.scalar(), random.scalar())));
                if row % 50 < 2 || row % 16 == 13 || row >= DIGITS {
                    events.extend(Colliding::new::<C>(place, zeros));
                }
            }
        }
    }
    events
}

fn scalar_mul() -> Count {
    let mut random = Random::new(1);
    let points = points();
    let mut next = scalars(&mut random);
    let mut events = Vec::new();
    for _ in 0..24 {
        events.extend(points.iter().map(|&p| ScalarMulEvent { p, s: next() }));
    }
    // Every boundary with a few bases.
    for (i, s) in boundary_scalars().into_iter().enumerate() {
        events.push(ScalarMulEvent { p: points[(11 * i + 7) % points.len()], s });
    }
    prove_all::<ScalarMulChip>(&events)
}

fn verify() -> Count {
    let mut random = Random::new(2);
    let points = points();
    let mut next = scalars(&mut random);
    let mut events = Vec::new();
    for _ in 0..24 {
        events.extend(points.iter().map(|&a| VerifyEvent { a, s: next(), e: next() }));
    }
    let boundary = boundary_scalars();
    for (i, &s) in boundary.iter().enumerate() {
        let (a, e) = (points[(13 * i + 5) % points.len()], boundary[(37 * i + 11) % boundary.len()]);
        events.push(VerifyEvent { a, s, e });
    }
    prove_all::<VerifyChip>(&events)
}

/// Keys that make accumulators collide with multiples of G, with random scalars.
fn related_keys() -> Count {
    let mut random = Random::new(3);
    let mut events = Vec::new();
    for k in [1, -1, 2, -2, 3, -3] {
        events.extend((0..1024).map(|_| VerifyEvent {
            a: multiple(k),
            s: random.scalar(),
            e: random.scalar(),
        }));
    }
    prove_all::<VerifyChip>(&events)
}

fn scalar_mul_collisions() -> Count {
    let events = colliding_events::<ScalarMulChip>().into_iter();
    prove_all::<ScalarMulChip>(&events.map(|c| ScalarMulEvent { p: c.base, s: c.e }).collect::<Vec<_>>())
}

fn verify_collisions() -> Count {
    let events = colliding_events::<VerifyChip>().into_iter();
    prove_all::<VerifyChip>(&events.map(|c| VerifyEvent { a: c.base, s: c.s, e: c.e }).collect::<Vec<_>>())
}

/// Sums of all pairs of related points, and doubles of all.
fn sums() -> Count {
    let points = points();
    let events: Vec<AddEvent> = points
        .iter()
        .flat_map(|&p| points.iter().step_by(5).map(move |&q| AddEvent { p, q }))
        .chain(points.iter().flat_map(|&p| [AddEvent { p, q: p }, AddEvent { p, q: -p }]))
        .collect();
    let doubles: Vec<DoubleEvent> = points.iter().map(|&p| DoubleEvent { p }).collect();
    let (sums, doubles) = (prove_all::<AddChip>(&events), prove_all::<DoubleChip>(&doubles));
    Count { events: sums.events + doubles.events, second_offsets: 0 }
}

static SUMS: LazyLock<Count> = LazyLock::new(sums);
static SCALAR_MUL: LazyLock<Count> = LazyLock::new(scalar_mul);
static VERIFY: LazyLock<Count> = LazyLock::new(verify);
static RELATED_KEYS: LazyLock<Count> = LazyLock::new(related_keys);
static SCALAR_MUL_COLLISIONS: LazyLock<Count> = LazyLock::new(scalar_mul_collisions);
static VERIFY_COLLISIONS: LazyLock<Count> = LazyLock::new(verify_collisions);

/// All events of this module, each kind run once in a process.
pub(crate) fn count() -> Count {
    let all = [&SUMS, &SCALAR_MUL, &VERIFY, &RELATED_KEYS, &SCALAR_MUL_COLLISIONS, &VERIFY_COLLISIONS];
    let mut total = Count::default();
    for count in all {
        total.events += count.events;
        total.second_offsets += count.second_offsets;
    }
    total
}

#[test]
fn scalar_mul_of_related_points() {
    let count = &*SCALAR_MUL;
    assert!(count.events > 5000 && count.second_offsets > 0);
}

#[test]
fn verify_with_related_points() {
    let count = &*VERIFY;
    assert!(count.events > 5000 && count.second_offsets > 0);
}

#[test]
fn verify_with_related_keys() {
    assert_eq!(RELATED_KEYS.events, 6 * 1024);
}

#[test]
fn directed_collisions_in_scalar_mul() {
    let count = &*SCALAR_MUL_COLLISIONS;
    // Two kinds of three are exceptional, and half of them are directed at the first offset.
    assert!(count.events > 1500 && count.second_offsets > count.events / 4);
}

#[test]
fn directed_collisions_in_verify() {
    let count = &*VERIFY_COLLISIONS;
    assert!(count.events > 3000 && count.second_offsets > count.events / 4);
}

#[test]
fn add_and_double_of_related_points() {
    assert!(SUMS.events > 10_000);
}

/// Bases are computed from numbers, blocks from points: on digit rows the exceptional collisions are exceptional for
/// the offset they are directed at. The others are not on row 0; later they may need an exceptional case before them,
/// as acc = σT after a digit σ needs acc = 𝒪.
#[test]
fn collisions_are_collisions() {
    fn run<C: LadderChip<Curve = Septic>>() {
        let events = colliding_events::<C>().into_iter();
        for c in events.filter(|c| c.row < DIGITS && c.row % 23 == 0 && !c.e.is_zero()) {
            let plan = Plan::<C>::new(c.base.to_affine().map(Coordinates::from), &c.e, &c.s);
            let block = plan.with_offset(KoalaBear::from_usize(c.offset)).prove();
            if c.kind.is_exceptional() || c.row == 0 {
                assert_eq!(block.exceptional, c.kind.is_exceptional(), "{c:?}");
            }
        }
    }
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}
