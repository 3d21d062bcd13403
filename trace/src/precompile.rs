//! Rows of the tables for a virtual machine: [`septic_chips::precompile`].
//!
//! As for [`crate::half`], events go in groups, one in each lane of the packed field, and the groups of a chunk in lockstep; with
//! the feature `parallel` chunks are spread over threads, with the same rows as result. An event whose sums meet an exceptional
//! case is done again from the next of 32 offsets. Variable time: it is not for secrets.

mod integers;
mod scalar_mul;
#[cfg(test)]
mod tests;
mod verify;

use alloc::vec;
use alloc::vec::Vec;
use core::{array, fmt};

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_chips::columns::{Field, column};
use septic_chips::half::{DIGITS, STEPS};
use septic_chips::precompile::points::{Points, STARTS};
use septic_chips::precompile::{START_BITS, START_PRODUCTS};
use septic_chips::table::Table;
use septic_curve::lockstep::{Inverter, LANES};
use septic_curve::{AffinePoint, KoalaBear, Point, Scalar, Scalar256, params};

use crate::half::chain::{ChainPoints, Group};
use crate::half::integers::HalfPair;
use crate::half::rows::Rows;
use crate::half::{CHUNK, of_lane};
use crate::{Claim, Execute, TraceError};
use integers::ProductWitness;

pub use scalar_mul::PrecompileScalarMul;
pub use verify::PrecompileVerify;

/// An operation as a table for a virtual machine.
pub trait PrecompileOperation: Copy + fmt::Debug + Send + Sync + 'static {
    /// The events it executes.
    type Event: Execute;
    /// The table.
    type Table: Table;

    /// The rows of calls with their results, one a call, without padding: claims × columns. They depend on the claims alone.
    ///
    /// # Errors
    /// If a point is off the curve, a result is wrong, or a call collides with every offset.
    fn generate_claims(claims: &[Claim<Self::Event>]) -> Result<RowMajorMatrix<KoalaBear>, TraceError>;
}

/// What a scalar is modulo r, for a point other than the identity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Case {
    /// The point is the identity.
    Identity,
    Zero,
    One,
    MinusOne,
    /// Anything else: the chain runs.
    Chain,
}

/// D = s·P as its columns show it.
#[derive(Clone, Copy, Debug)]
struct Multiple {
    case: Case,
    /// P, or a point in its place where no chain runs.
    p: AffinePoint,
    /// u and w of the chain; of the scalar 2 where none runs.
    pair: HalfPair,
    witness: ProductWitness,
}

impl Multiple {
    fn new(s: &Scalar256, p: Point) -> Self {
        let reduced = Scalar::from(*s);
        let case = if p.is_identity() {
            Case::Identity
        } else if reduced == Scalar::ZERO {
            Case::Zero
        } else if reduced == Scalar::ONE {
            Case::One
        } else if reduced == -Scalar::ONE {
            Case::MinusOne
        } else {
            Case::Chain
        };
        let (pair, p) = match (case, p) {
            (Case::Chain, Point::Affine(p)) => (HalfPair::new(&reduced), p),
            _ => (HalfPair::new(&Scalar::from(2)), params::GENERATOR),
        };
        Self { case, p, pair, witness: ProductWitness::new(case, &pair, s) }
    }

    fn runs(&self) -> bool {
        self.case == Case::Chain
    }

    /// D of the chain, given that of the claim.
    fn d(&self, d: impl FnOnce() -> AffinePoint) -> AffinePoint {
        if self.runs() { d() } else { params::GENERATOR.double() }
    }
}

/// Where the columns of a multiple stand.
#[derive(Clone, Copy, Debug)]
struct Layout {
    /// `zero`, `one`, `minus_one`.
    flags: usize,
    low: usize,
    quotient: usize,
    carry: usize,
    start: usize,
    start_products: usize,
    sign: usize,
    swap: usize,
    /// One after the last column.
    end: usize,
}

impl Layout {
    const fn new(fields: &[Field]) -> Self {
        let last = &fields[fields.len() - 1];
        Self {
            flags: column(fields, "zero"),
            low: column(fields, "low"),
            quotient: column(fields, "quotient"),
            carry: column(fields, "carry"),
            start: column(fields, "start"),
            start_products: column(fields, "start_products"),
            sign: column(fields, "sign"),
            swap: column(fields, "swap"),
            end: last.offset + last.width,
        }
    }

    /// Writes what the chain leaves to the caller; takes the chain's cells back where it does not run.
    fn write(&self, multiple: &Multiple, offset: u8, row: &mut [KoalaBear]) {
        let flag = match multiple.case {
            Case::Zero => Some(0),
            Case::One => Some(1),
            Case::MinusOne => Some(2),
            Case::Identity | Case::Chain => None,
        };
        if let Some(flag) = flag {
            row[self.flags + flag] = KoalaBear::ONE;
        }
        let ProductWitness { low, quotient, carry } = &multiple.witness;
        write(&mut row[self.low..], low.iter().map(|&x| KoalaBear::from_u8(x)));
        write(&mut row[self.quotient..], quotient.iter().map(|&x| KoalaBear::from_u8(x)));
        write(&mut row[self.carry..], carry.iter().map(|&x| KoalaBear::from_u16(x)));
        if multiple.runs() {
            write_offset(offset, [self.start, self.start_products], row);
            write(&mut row[self.sign..], (0..STEPS).map(|i| KoalaBear::from_bool(multiple.pair.sign(i))));
            write(&mut row[self.swap..], (0..DIGITS).map(|i| KoalaBear::from_bool(multiple.pair.swap(i))));
        } else {
            row[self.start..self.end].fill(KoalaBear::ZERO);
        }
    }
}

/// Writes cells from the first on.
fn write(row: &mut [KoalaBear], cells: impl Iterator<Item = KoalaBear>) {
    row.iter_mut().zip(cells).for_each(|(cell, value)| *cell = value);
}

/// Writes the bits of an offset's number and their products.
fn write_offset(offset: u8, [bits_at, products_at]: [usize; 2], row: &mut [KoalaBear]) {
    let bits: [KoalaBear; START_BITS] = array::from_fn(|i| KoalaBear::from_bool(offset >> i & 1 == 1));
    let [b0, b1, b2, b3, b4] = bits;
    let products: [KoalaBear; START_PRODUCTS] = [b0 * b1, b0 * b2, b1 * b2, b0 * b1 * b2, b3 * b4];
    row[bits_at..][..bits.len()].copy_from_slice(&bits);
    row[products_at..][..products.len()].copy_from_slice(&products);
}

/// The offsets of a chain.
fn chain_points() -> ChainPoints<'static> {
    let Points { starts, ends, .. } = Points::get();
    ChainPoints { starts, ends }
}

/// What the generator needs to know of an operation.
trait Fill: PrecompileOperation {
    /// A claim with the numbers that its columns show.
    type Prepared: Send + Sync;

    fn prepare(claim: &Claim<Self::Event>) -> Self::Prepared;

    /// Whether the result is one that a chain can show.
    fn can_run(claim: &Claim<Self::Event>) -> bool;

    /// The multiple of the variable point.
    fn multiple(prepared: &Self::Prepared) -> &Multiple;

    /// Fills points, slopes and products of the groups; lane k of group g is `prepared[g·LANES + k]`, or the last one.
    fn fill(groups: &mut [Group<'_>], prepared: &[Self::Prepared], inverter: &mut Inverter);

    /// Writes the inputs and everything else that needs no inversion.
    fn write(claim: &Claim<Self::Event>, prepared: &Self::Prepared, offset: u8, row: &mut [KoalaBear]);
}

/// The rows of `claims`.
fn generate<O: Fill>(claims: &[Claim<O::Event>]) -> Result<RowMajorMatrix<KoalaBear>, TraceError> {
    let width = O::Table::WIDTH;
    let mut main = RowMajorMatrix::new(vec![KoalaBear::ZERO; claims.len() * width], width);
    let chunks: Vec<Result<(), TraceError>> = main
        .values
        .par_chunks_mut(CHUNK * width)
        .zip(claims.par_chunks(CHUNK))
        .enumerate()
        .map(|(k, (cells, claims))| fill_chunk::<O>(k * CHUNK, claims, width, cells))
        .collect();
    chunks.into_iter().collect::<Result<(), TraceError>>()?;
    Ok(main)
}

/// Fills the rows of a chunk's claims, the first of which is number `first`.
fn fill_chunk<O: Fill>(
    first: usize,
    claims: &[Claim<O::Event>],
    width: usize,
    cells: &mut [KoalaBear],
) -> Result<(), TraceError> {
    for (i, claim) in claims.iter().enumerate() {
        claim.check(first + i)?;
    }
    let prepared: Vec<O::Prepared> = claims.iter().map(O::prepare).collect();
    let is_right = |i: usize| claims[i].event.execute() == claims[i].out;
    // Chains end where they should, or the claim is wrong; claims without a chain are few.
    for (i, prepared) in prepared.iter().enumerate() {
        let plausible = if O::multiple(prepared).runs() { O::can_run(&claims[i]) } else { is_right(i) };
        if !plausible {
            return Err(TraceError::WrongResult { event: first + i });
        }
    }
    let mut offsets = vec![0_u8; claims.len()];
    let mut inverter = Inverter::default();
    // Almost always one round is enough.
    loop {
        let mut groups: Vec<Group<'_>> = cells
            .chunks_mut(LANES * width)
            .enumerate()
            .map(|(g, cells)| {
                let offset = array::from_fn(|lane| *of_lane(&offsets, g, lane));
                Group::new(Rows::new(width, cells), offset, None)
            })
            .collect();
        O::fill(&mut groups, &prepared, &mut inverter);
        let lane = |i: usize| (&groups[i / LANES], i % LANES);
        let failed: Vec<usize> = (0..claims.len())
            .filter(|&i| {
                let (group, lane) = lane(i);
                group.failed >> lane & 1 == 1
            })
            .collect();
        if failed.is_empty() {
            let wrong = |&i: &usize| {
                let (group, lane) = lane(i);
                group.wrong >> lane & 1 == 1
            };
            if let Some(i) = (0..claims.len()).find(wrong) {
                return Err(TraceError::WrongResult { event: first + i });
            }
            break;
        }
        for i in failed {
            offsets[i] += 1;
            // A wrong result can fail for every offset.
            if usize::from(offsets[i]) == STARTS || (offsets[i] == 2 && !is_right(i)) {
                let event = first + i;
                return Err(if is_right(i) {
                    TraceError::NoOffset { event }
                } else {
                    TraceError::WrongResult { event }
                });
            }
        }
    }
    for (i, row) in cells.chunks_exact_mut(width).enumerate() {
        O::write(&claims[i], &prepared[i], offsets[i], row);
    }
    tracing::trace!(target: "septic_trace::progress", events = claims.len());
    Ok(())
}

/// The 16-bit limbs of a scalar, low first.
fn limbs(s: &Scalar256) -> impl Iterator<Item = KoalaBear> {
    (0..16).map(|i| KoalaBear::from_u16(s.limb16(i)))
}

/// The coordinates of a point, (0, 0) of the identity.
fn coordinates(point: Point) -> impl Iterator<Item = KoalaBear> {
    let (x, y) = point.to_canonical().unwrap_or_default();
    x.into_iter().chain(y).map(KoalaBear::new)
}
