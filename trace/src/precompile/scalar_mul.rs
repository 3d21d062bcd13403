//! SCALAR_MUL.

use alloc::vec::Vec;
use core::array;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::precompile::PrecompileScalarMulTable;
use septic_chips::precompile::scalar_mul::PrecompileScalarMulCols;
use septic_curve::lockstep::{Inverter, WidePoint};
use septic_curve::{AffinePoint, KoalaBear, Point, params};

use super::{Fill, Layout, Multiple, PrecompileOperation, chain_points, coordinates, limbs, write};
use crate::half::chain::{ChainInput, ChainLayout, Group, run};
use crate::half::of_lane;
use crate::{Claim, ScalarMulEvent, TraceError};

/// SCALAR_MUL for a virtual machine.
#[derive(Clone, Copy, Debug, Default)]
pub struct PrecompileScalarMul;

const FIELDS: &[Field] = <PrecompileScalarMulCols<u32> as ColumnSet<u32>>::FIELDS;
const LAYOUT: Layout = Layout::new(FIELDS);
const CHAIN: ChainLayout = ChainLayout::precompile(FIELDS);

impl PrecompileOperation for PrecompileScalarMul {
    type Event = ScalarMulEvent;
    type Table = PrecompileScalarMulTable;

    fn generate_claims(claims: &[Claim<ScalarMulEvent>]) -> Result<RowMajorMatrix<KoalaBear>, TraceError> {
        super::generate::<Self>(claims)
    }
}

/// A claim's multiple and its D.
#[derive(Debug)]
pub(super) struct Prepared {
    multiple: Multiple,
    d: AffinePoint,
}

impl Fill for PrecompileScalarMul {
    type Prepared = Prepared;

    fn prepare(&Claim { event: ScalarMulEvent { p, s }, out }: &Claim<ScalarMulEvent>) -> Prepared {
        let multiple = Multiple::new(&s, p);
        let d = multiple.d(|| out.to_affine().unwrap_or(params::GENERATOR));
        Prepared { multiple, d }
    }

    fn can_run(claim: &Claim<ScalarMulEvent>) -> bool {
        // s ≢ 0 and P ≠ 𝒪, and r is prime.
        !claim.out.is_identity()
    }

    fn multiple(prepared: &Prepared) -> &Multiple {
        &prepared.multiple
    }

    fn fill(groups: &mut [Group<'_>], prepared: &[Prepared], inverter: &mut Inverter) {
        let inputs: Vec<ChainInput> = (0..groups.len())
            .map(|g| ChainInput {
                d: WidePoint::gather(|lane| of_lane(prepared, g, lane).d),
                p: WidePoint::gather(|lane| of_lane(prepared, g, lane).multiple.p),
                pairs: array::from_fn(|lane| of_lane(prepared, g, lane).multiple.pair),
            })
            .collect();
        let zero = run(&CHAIN, chain_points(), groups, &inputs, inverter);
        for (group, zero) in groups.iter_mut().zip(zero) {
            group.failed |= zero;
        }
    }

    fn write(
        &Claim { event: ScalarMulEvent { p, s }, out }: &Claim<ScalarMulEvent>,
        prepared: &Prepared,
        offset: u8,
        row: &mut [KoalaBear],
    ) {
        row[0] = KoalaBear::ONE;
        write(&mut row[column(FIELDS, "x_p")..], coordinates(p));
        write(&mut row[column(FIELDS, "x_r")..], coordinates(out));
        write(&mut row[column(FIELDS, "s")..], limbs(&s));
        row[column(FIELDS, "p_identity")] = KoalaBear::from_bool(p == Point::Identity);
        LAYOUT.write(&prepared.multiple, offset, row);
    }
}
