//! SCALAR_MUL.

use alloc::vec::Vec;
use core::array;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::half::HalfScalarMulTable;
use septic_chips::half::scalar_mul::HalfScalarMulCols;
use septic_curve::{KoalaBear, Point, Scalar, mul_batch};
use sha2::Sha256;

use super::chain::{ChainInput, ChainLayout, Group, TWO_OFFSETS, fits, run};
use super::integers::{HalfPair, scalar_bytes};
use super::shown::ShownScalarMul;
use super::{Fill, HalfOperation, HalfTrace, Layout, Lookups, of_lane, write_point};
use crate::{Claim, ScalarMulEvent, TraceError};
use septic_curve::lockstep::{Inverter, WidePoint};

/// SCALAR_MUL with half-size scalars.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfScalarMul;

const FIELDS: &[Field] = <HalfScalarMulCols<u32> as ColumnSet<u32>>::FIELDS;
const CHAIN: ChainLayout = ChainLayout::new(FIELDS);

impl HalfOperation for HalfScalarMul {
    type Event = ScalarMulEvent;
    type Table = HalfScalarMulTable;

    fn execute(events: &[ScalarMulEvent]) -> Vec<Point> {
        super::execute::<Self>(events)
    }

    fn generate_claims(claims: &[Claim<ScalarMulEvent>]) -> Result<HalfTrace, TraceError> {
        super::generate::<Self>(claims)
    }

    fn instance_columns(claims: &[Claim<ScalarMulEvent>], height: usize) -> Vec<Vec<KoalaBear>> {
        super::instance_columns::<Self>(claims, height)
    }

    fn count_lookups(main: &RowMajorMatrix<KoalaBear>, lookups: &mut Lookups) {
        super::count_lookups::<Self>(main, lookups, |_, _| ());
    }
}

impl Fill for HalfScalarMul {
    type Shown = ShownScalarMul;

    const LAYOUT: Layout = Layout::new(FIELDS);

    fn outputs(events: &[ScalarMulEvent]) -> Vec<Point> {
        let operations: Vec<_> = events.iter().map(|event| (event.s, event.p)).collect();
        mul_batch(&operations)
    }

    fn scalar(shown: &ShownScalarMul) -> Scalar {
        shown.s
    }

    fn write_instance(shown: &ShownScalarMul, row: &mut [KoalaBear]) {
        row[0] = KoalaBear::ONE;
        write_point(shown.p, &mut row[column(FIELDS, "x_p")..]);
        write_point(shown.r, &mut row[column(FIELDS, "x_r")..]);
        let bytes = scalar_bytes(&shown.s).map(KoalaBear::from_u8);
        row[column(FIELDS, "s")..][..bytes.len()].copy_from_slice(&bytes);
    }

    fn fill(
        groups: &mut [Group<'_>],
        shown: &[ShownScalarMul],
        pairs: &[HalfPair],
        inverter: &mut Inverter,
    ) -> bool {
        let inputs: Vec<ChainInput> = (0..groups.len())
            .map(|g| ChainInput {
                d: WidePoint::gather(|lane| of_lane(shown, g, lane).r),
                p: WidePoint::gather(|lane| of_lane(shown, g, lane).p),
                pairs: array::from_fn(|lane| *of_lane(pairs, g, lane)),
            })
            .collect();
        let zero = run(&CHAIN, TWO_OFFSETS, groups, &inputs, inverter);
        fits(groups, &zero)
    }

    fn hash(event: &ScalarMulEvent, hash: &mut Sha256) {
        super::hash_event(hash, event.p, &[event.s]);
    }
}
