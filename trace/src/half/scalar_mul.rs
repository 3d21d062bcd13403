//! SCALAR_MUL.

use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::half::scalar_mul_control::ScalarMulControlCols;
use septic_chips::half::scalar_mul_steps::ScalarMulStepsCols;
use septic_chips::half::{STEPS, ScalarMulControl, ScalarMulSteps};
use septic_chips::params::Septic;
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Scalar256, mul_batch};
use sha2::Sha256;

use super::chain::{ChainInput, count};
use super::integers::{HalfPair, ProductWitness, half_bytes, scalar_bytes};
use super::layout::{ControlLayout, StepLayout};
use super::{ChainEnd, Fill, HalfOperation, HalfTrace, RangeCounts, Sums};
use crate::instance::{coordinates, flag_column, point_columns};
use crate::{Claim, ScalarMulEvent, TraceError};

/// SCALAR_MUL in K steps a row, L = 112/K rows an operation: K = 16 and L = 7, or K = 8 and L = 14.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfScalarMul<const K: usize = 16, const L: usize = 7>;

/// What an event asks of the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    base: AffinePoint,
    pub(super) scalar: Scalar256,
    out: Point,
    pub(super) pair: HalfPair,
    /// `None` for R = 𝒪, P, −P.
    pub(super) sums: Option<Sums>,
}

impl<const K: usize, const L: usize> HalfOperation for HalfScalarMul<K, L> {
    type Event = ScalarMulEvent;
    type Control = ScalarMulControl<Septic, L>;
    type Steps = ScalarMulSteps<K>;

    const ROWS: usize = {
        assert!(K * L == STEPS);
        L
    };

    #[tracing::instrument(name = "SCALAR_MUL tables", skip_all)]
    fn generate(events: &[ScalarMulEvent]) -> Result<HalfTrace, TraceError> {
        super::generate::<Self>(events)
    }

    fn instance_columns(claims: &[Claim<ScalarMulEvent>], height: usize) -> Vec<Vec<KoalaBear>> {
        let shown = claims.iter().map(|claim| super::shown(claim.event.p, claim.event.s));
        let mut columns = alloc::vec![flag_column(claims.len(), height)];
        columns.extend(point_columns(shown.clone().map(|(base, _)| base.into()), height));
        columns.extend(point_columns(claims.iter().map(|claim| claim.out), height));
        columns.extend(super::byte_columns(shown.map(|(_, scalar)| scalar), height));
        columns
    }

    fn range_counts(control: &RowMajorMatrix<KoalaBear>) -> RangeCounts {
        super::range_counts(&Self::CONTROL, control)
    }
}

impl<const K: usize, const L: usize> Fill for HalfScalarMul<K, L> {
    const STEP: StepLayout = StepLayout::new(
        <ScalarMulStepsCols<u32, K> as ColumnSet<u32>>::FIELDS,
        <ScalarMulStepsCols<u32, K> as ColumnSet<u32>>::WIDTH,
        K,
        false,
    );
    const CONTROL: ControlLayout = {
        let fields: &[Field] = <ScalarMulControlCols<u32, L> as ColumnSet<u32>>::FIELDS;
        ControlLayout {
            width: <ScalarMulControlCols<u32, L> as ColumnSet<u32>>::WIDTH,
            id: column(fields, "id"),
            u: column(fields, "u"),
            witness: column(fields, "witness"),
            multiple: None,
            idle: &[column(fields, "r_identity"), column(fields, "r_base"), column(fields, "r_minus")],
            products: &[[
                column(fields, "quotient"),
                column(fields, "carry_low"),
                column(fields, "carry_high"),
            ]],
        }
    };

    type Plan = Plan;

    fn outputs(events: &[ScalarMulEvent]) -> Vec<Point> {
        let operations: Vec<_> = events.iter().map(|event| (event.s, event.p)).collect();
        mul_batch(&operations)
    }

    fn plan(event: &ScalarMulEvent, out: Point) -> Plan {
        let (base, scalar) = super::shown(event.p, event.s);
        let sums = out.to_affine().and_then(|out| Sums::new(out, base));
        Plan { base, scalar, out, pair: HalfPair::new(&scalar), sums }
    }

    fn chain(plan: &Plan, id: usize) -> Option<ChainInput> {
        let (u, w) = (plan.pair.u_shifted(), plan.pair.w_shifted());
        plan.sums.map(|sums| ChainInput { id, n: sums.n, m: sums.m, u, w, g: [0; 2] })
    }

    fn write(plan: &Plan, id: usize, end: &ChainEnd, row: &mut [KoalaBear]) {
        let (x_r, y_r) = coordinates(plan.out);
        let product = ProductWitness::of_pair(&plan.pair, &plan.scalar);
        let point = |of: fn(&Sums) -> AffinePoint| coordinates(plan.sums.as_ref().map(of).into());
        let [(x_n, y_n), (x_m, y_m)] = [point(|sums| sums.n), point(|sums| sums.m)];
        let slope = |of: fn(&Sums) -> Fp7| plan.sums.as_ref().map_or(Fp7::ZERO, of);
        ScalarMulControlCols::<KoalaBear, L> {
            real: KoalaBear::ONE,
            x_p: plan.base.x(),
            y_p: plan.base.y(),
            x_r,
            y_r,
            s: super::cells(scalar_bytes(&plan.scalar)),
            id: count(id),
            offset: KoalaBear::from_bool(end.second),
            r_identity: KoalaBear::from_bool(plan.out.is_identity()),
            r_base: KoalaBear::from_bool(plan.out == plan.base.into()),
            r_minus: KoalaBear::from_bool(plan.out == Point::from(-plan.base)),
            x_n,
            y_n,
            x_m,
            y_m,
            x_e: end.x,
            y_e: end.y,
            lambda_n: slope(|sums| sums.lambda_n),
            lambda_m: slope(|sums| sums.lambda_m),
            lambda_e: end.lambda,
            witness: KoalaBear::ZERO,
            u: super::cells(half_bytes(plan.pair.u_shifted())),
            w: super::limbs(plan.pair.w_shifted()),
            quotient: super::cells(product.quotient),
            carry_low: super::cells(product.carry_low),
            carry_high: super::cells(product.carry_high),
        }
        .write_to(row);
    }

    fn hash(event: &ScalarMulEvent, hash: &mut Sha256) {
        super::hash_event(hash, event.p, &[event.s]);
    }
}
