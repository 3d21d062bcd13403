//! Scalar multiplication.
//!
//! Every point of E has an order that divides the prime r, so s·P = (s mod r)·P for every integer s. No input is
//! special: the loops below run over reduced scalars (217 bits) with complete formulas, and the single products of
//! variable time tell the exceptional cases of theirs apart.
//!
//! | function | time depends on | use |
//! | --- | --- | --- |
//! | [`Point::mul_vartime`], [`Point::mul_add_vartime`], [`Point::mul_generator_vartime`] | the inputs | one product |
//! | [`mul_batch`], [`mul_add_batch`] | the inputs | many products: one in each lane of the packed field |
//! | [`mul_constant_time`], [`mul_generator_constant_time`] | the point only | secret scalars |
//!
//! ```
//! use septic_curve::multiply::{mul_add_batch, mul_constant_time, mul_generator_constant_time};
//! use septic_curve::{Point, Scalar, Scalar256};
//!
//! // Two parties, one secret: a·(b·G) = b·(a·G).
//! let (a, b) = (Scalar::from(0xa11ce), Scalar::from(0xb0b));
//! let [of_a, of_b] = [a, b].map(|secret| mul_generator_constant_time(&secret).to_point());
//! let shared = mul_constant_time(&a, &of_b).to_point();
//! assert_eq!(shared, mul_constant_time(&b, &of_a).to_point());
//!
//! // s·G + e·A, all public, many at once; any 256-bit integer is a multiplier.
//! let terms = [(Scalar256::MAX, Scalar256::from(3), of_a), (Scalar256::ZERO, Scalar256::ONE, of_b)];
//! let [first, second] = mul_add_batch(&terms)[..] else { unreachable!() };
//! assert_eq!(first, Point::mul_add_vartime(&Scalar256::MAX, &Scalar256::from(3), &of_a));
//! assert_eq!(second, of_b);
//! ```

use alloc::vec::Vec;
use core::array;

use p3_field::PackedValue;
use p3_koala_bear::KoalaBear;

use crate::comb::{COMB, SPACING};
use crate::lockstep::Lanes;
use crate::projective::Projective;
use crate::{Point, ProjectivePoint, Scalar, Scalar256, lockstep, straus};

pub use crate::secret::{mul_constant_time, mul_generator_constant_time, mul_projective_constant_time};

/// Bits of a scalar that one addition of a multiple of the point serves.
const WINDOW: usize = 4;

/// Number of multiples in a table: all values of a window.
const TABLE: usize = 1 << WINDOW;

/// Bits the loops run over: the least multiple of the window and of the comb's spacing that holds r.
const LOOP_BITS: usize = WINDOW * SPACING;

/// A reduced scalar taken apart.
struct Digits(Scalar256);

impl Digits {
    fn new(scalar: &Scalar) -> Self {
        Self(Scalar256::from(*scalar))
    }

    /// The four bits from 4·i on.
    fn window(&self, i: usize) -> u16 {
        let per_limb = 16 / WINDOW;
        self.0.limb16(i / per_limb) >> (WINDOW * (i % per_limb)) & 0xf
    }

    /// The bits i, i + 55, i + 110, i + 165: the comb's teeth at position i.
    fn teeth(&self, i: usize) -> u16 {
        (0..WINDOW).map(|tooth| u16::from(self.0.bit(i + tooth * SPACING)) << tooth).sum()
    }
}

/// The multiples 0·P, 1·P, …, 15·P.
fn multiples(point: Projective<Lanes>) -> [Projective<Lanes>; TABLE] {
    let mut table: [Projective<Lanes>; TABLE] = [Projective::identity(); TABLE];
    table[1] = point;
    for i in 2..TABLE {
        table[i] = if i % 2 == 0 { table[i / 2].double() } else { table[i - 1] + table[1] };
    }
    table
}

/// Σ 2^(4·i)·window(i) + Σ 2^i·tooth(i) over the positions of the loop, with shared doublings.
fn interleave(
    window: impl Fn(usize) -> Projective<Lanes>,
    teeth: Option<&impl Fn(usize) -> Projective<Lanes>>,
) -> Projective<Lanes> {
    let mut acc = Projective::identity();
    for bit in (0..LOOP_BITS).rev() {
        acc = acc.double();
        if bit % WINDOW == 0 {
            acc += window(bit / WINDOW);
        }
        if let Some(teeth) = teeth
            && bit < SPACING
        {
            acc += teeth(bit);
        }
    }
    acc
}

/// The comb's entry m of the generator, as a projective point.
fn comb(m: u16) -> ProjectivePoint {
    match usize::from(m).checked_sub(1) {
        None => ProjectivePoint::IDENTITY,
        Some(i) => COMB[i].into(),
    }
}

/// A value for each lane of the packed field.
type PerLane<T> = [T; Lanes::WIDTH];

/// One operation s·G + e·A; without s it is e·A.
type Term = (Option<Scalar256>, Scalar256, Point);

/// s·G + e·A for at most as many operations as there are lanes, one in each; a lane without an operation holds the identity.
///
/// Either all operations have an s or none has.
fn lanes(terms: &[Term]) -> Projective<Lanes> {
    let lane = |i: usize| terms.get(i).copied().unwrap_or((None, Scalar256::ZERO, Point::Identity));
    let digits = |scalar: Scalar256| Digits::new(&scalar.into());

    let points: PerLane<ProjectivePoint> = array::from_fn(|i| lane(i).2.into());
    let table = multiples(gather(|i, c| points[i].coefficient(c)));
    let e: PerLane<Digits> = array::from_fn(|i| digits(lane(i).1));
    let window = |position: usize| {
        let rows = e.each_ref().map(|e| &table[usize::from(e.window(position))]);
        gather(|i, c| rows[i].coefficient(c).as_slice()[i])
    };

    if terms.iter().all(|(s, _, _)| s.is_none()) {
        let none: Option<&fn(usize) -> Projective<Lanes>> = None;
        return interleave(window, none);
    }
    let s: PerLane<Digits> = array::from_fn(|i| digits(lane(i).0.unwrap_or_default()));
    let teeth = |position: usize| {
        let rows = s.each_ref().map(|s| comb(s.teeth(position)));
        gather(|i, c| rows[i].coefficient(c))
    };
    interleave(window, Some(&teeth))
}

/// Points from their coefficients: `entry(lane, position)`.
#[inline]
fn gather(entry: impl Fn(usize, usize) -> KoalaBear) -> Projective<Lanes> {
    Projective::from_coefficients(|c| Lanes::from_fn(|lane| entry(lane, c)))
}

/// The operation's result, on its own.
fn single(&(s, e, a): &Term) -> Point {
    match s {
        None => a.mul_vartime(&e),
        Some(s) => Point::mul_add_vartime(&s, &e, &a),
    }
}

/// The operations' results in packed lanes.
fn batch(terms: impl Iterator<Item = Term>) -> Vec<Point> {
    let terms: Vec<Term> = terms.collect();
    // A packed loop takes as long as many single ones, however few lanes it fills.
    let singles = match terms.len() % Lanes::WIDTH {
        _ if Lanes::WIDTH == 1 => terms.len(),
        left_over if left_over <= Lanes::WIDTH / 2 => left_over,
        _ => 0,
    };
    let (packed, singles) = terms.split_at(terms.len() - singles);

    let mut sums: Vec<ProjectivePoint> = Vec::with_capacity(packed.len());
    for chunk in packed.chunks(Lanes::WIDTH) {
        let packed = lanes(chunk);
        sums.extend(
            (0..chunk.len())
                .map(|lane| ProjectivePoint::from_coefficients(|c| packed.coefficient(c).as_slice()[lane])),
        );
    }
    let mut points = ProjectivePoint::batch_to_points(&sums);
    points.extend(singles.iter().map(single));
    points
}

/// s·P for each (s, P), in order. Variable time.
///
/// Runs one product in each lane of the packed field, and many lanes in lockstep: see [`crate::lockstep`].
#[must_use]
pub fn mul_batch(operations: &[(Scalar256, Point)]) -> Vec<Point> {
    if operations.len() <= Lanes::WIDTH {
        return batch(operations.iter().map(|&(s, p)| (None, s, p)));
    }
    lockstep::mul_batch(operations)
}

/// s·G + e·A for each (s, e, A), in order. Variable time.
///
/// Runs one operation in each lane of the packed field and shares the final inversion.
#[must_use]
pub fn mul_add_batch(operations: &[(Scalar256, Scalar256, Point)]) -> Vec<Point> {
    batch(operations.iter().map(|&(s, e, a)| (Some(s), e, a)))
}

impl Point {
    /// s·self, exact for every integer s and every point. Variable time.
    #[must_use]
    pub fn mul_vartime(&self, s: &Scalar256) -> Self {
        match self {
            Self::Identity => Self::Identity,
            Self::Affine(point) => straus::mul(&(*s).into(), point).to_point(),
        }
    }

    /// s·G, exact for every integer s: 55 doublings and about 24 additions from fixed tables. Variable time; for a
    /// secret s there is [`mul_generator_constant_time`].
    #[must_use]
    pub fn mul_generator_vartime(s: &Scalar256) -> Self {
        straus::mul_generator(&(*s).into()).to_point()
    }

    /// s·G + e·a (Straus interleaving: the doublings are shared), exact for all inputs. Variable time.
    #[must_use]
    pub fn mul_add_vartime(s: &Scalar256, e: &Scalar256, a: &Self) -> Self {
        match a {
            Self::Identity => Self::mul_generator_vartime(s),
            Self::Affine(a) => straus::mul_add(&(*s).into(), &(*e).into(), a).to_point(),
        }
    }
}
