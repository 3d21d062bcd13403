//! VERIFY.

use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::half::verify_control::VerifyControlCols;
use septic_chips::half::verify_steps::VerifyStepsCols;
use septic_chips::half::{STEPS, VerifyControl, VerifySteps};
use septic_chips::params::Septic;
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Scalar256, mul_add_batch, params};
use sha2::Sha256;

use super::chain::{ChainInput, count};
use super::integers::{HalfPair, ProductWitness, half_bytes, scalar_bytes};
use super::layout::{ControlLayout, MultipleLayout, StepLayout};
use super::{ChainEnd, Fill, HalfOperation, HalfTrace, RangeCounts, Sums, slope};
use crate::instance::{coordinates, flag_column, point_columns};
use crate::{Claim, TraceError, VerifyEvent};

/// VERIFY in K steps a row, L = 112/K rows an operation: K = 16 and L = 7, or K = 8 and L = 14.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfVerify<const K: usize = 16, const L: usize = 7>;

/// What an event asks of the tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    base: AffinePoint,
    s: Scalar256,
    e: Scalar256,
    out: Point,
    pub(super) pair: HalfPair,
    /// Witness of u·(s + k) + g, and both halves of g.
    pub(super) product_s: (ProductWitness, [u128; 2]),
    /// k − 1.
    pub(super) multiple: usize,
    /// R + kG and the slope of its chord; 0 if R = 𝒪.
    sum: AffinePoint,
    lambda_s: Fp7,
    pub(super) sums: Sums,
}

impl Plan {
    /// The first k for which R ≠ ±kG and S = R + kG ≠ ±A.
    fn choose(base: AffinePoint, out: Point) -> (usize, AffinePoint, Fp7, Sums) {
        let candidate = |(multiple, k): (usize, AffinePoint)| {
            let (sum, lambda) = match out {
                Point::Identity => (k, Fp7::ZERO),
                Point::Affine(r) if r.x() == k.x() => return None,
                Point::Affine(r) => {
                    let lambda = slope(k, r);
                    let x = lambda.dot_square() - k.x() - r.x();
                    (AffinePoint::new_unchecked(x, lambda.dot_mul(&(r.x() - x)) - r.y()), lambda)
                }
            };
            Sums::new(sum, base).map(|sums| (multiple, sum, lambda, sums))
        };
        params::GENERATOR_MULTIPLES
            .into_iter()
            .enumerate()
            .find_map(candidate)
            .expect("R = ±kG excludes one k, S = A another, S = −A a third")
    }
}

impl<const K: usize, const L: usize> HalfOperation for HalfVerify<K, L> {
    type Event = VerifyEvent;
    type Control = VerifyControl<Septic, L>;
    type Steps = VerifySteps<Septic, K>;

    const ROWS: usize = {
        assert!(K * L == STEPS);
        L
    };

    #[tracing::instrument(name = "VERIFY tables", skip_all)]
    fn generate(events: &[VerifyEvent]) -> Result<HalfTrace, TraceError> {
        super::generate::<Self>(events)
    }

    fn instance_columns(claims: &[Claim<VerifyEvent>], height: usize) -> Vec<Vec<KoalaBear>> {
        let shown = claims.iter().map(|claim| super::shown(claim.event.a, claim.event.e));
        let mut columns = alloc::vec![flag_column(claims.len(), height)];
        columns.extend(point_columns(shown.clone().map(|(base, _)| base.into()), height));
        columns.extend(point_columns(claims.iter().map(|claim| claim.out), height));
        columns.extend(super::byte_columns(claims.iter().map(|claim| claim.event.s), height));
        columns.extend(super::byte_columns(shown.map(|(_, e)| e), height));
        columns
    }

    fn range_counts(control: &RowMajorMatrix<KoalaBear>) -> RangeCounts {
        super::range_counts(&Self::CONTROL, control)
    }
}

impl<const K: usize, const L: usize> Fill for HalfVerify<K, L> {
    const STEP: StepLayout = StepLayout::new(
        <VerifyStepsCols<u32, K> as ColumnSet<u32>>::FIELDS,
        <VerifyStepsCols<u32, K> as ColumnSet<u32>>::WIDTH,
        K,
        true,
    );
    const CONTROL: ControlLayout = {
        let fields: &[Field] = <VerifyControlCols<u32, L> as ColumnSet<u32>>::FIELDS;
        ControlLayout {
            width: <VerifyControlCols<u32, L> as ColumnSet<u32>>::WIDTH,
            id: column(fields, "id"),
            u: column(fields, "u"),
            witness: column(fields, "witness"),
            multiple: Some(MultipleLayout {
                x_r: column(fields, "x_r"),
                r_identity: column(fields, "r_identity"),
                multiple: column(fields, "multiple"),
                witness: column(fields, "witness_s"),
            }),
            idle: &[],
            products: &[
                [column(fields, "quotient_e"), column(fields, "carry_low_e"), column(fields, "carry_high_e")],
                [column(fields, "quotient_s"), column(fields, "carry_low_s"), column(fields, "carry_high_s")],
            ],
        }
    };

    type Plan = Plan;

    fn outputs(events: &[VerifyEvent]) -> Vec<Point> {
        let operations: Vec<_> = events.iter().map(|event| (event.s, event.e, event.a)).collect();
        mul_add_batch(&operations)
    }

    fn plan(event: &VerifyEvent, out: Point) -> Plan {
        let (base, e) = super::shown(event.a, event.e);
        let (multiple, sum, lambda_s, sums) = Plan::choose(base, out);
        let pair = HalfPair::new(&e);
        let k = u8::try_from(multiple + 1).unwrap_or_default();
        let product_s = ProductWitness::of_sum(&pair, &event.s, k);
        Plan { base, s: event.s, e, out, pair, product_s, multiple, sum, lambda_s, sums }
    }

    fn chain(plan: &Plan, id: usize) -> Option<ChainInput> {
        let (u, w) = (plan.pair.u_shifted(), plan.pair.w_shifted());
        Some(ChainInput { id, n: plan.sums.n, m: plan.sums.m, u, w, g: plan.product_s.1 })
    }

    fn write(plan: &Plan, id: usize, end: &ChainEnd, row: &mut [KoalaBear]) {
        let (x_r, y_r) = coordinates(plan.out);
        let product_e = ProductWitness::of_pair(&plan.pair, &plan.e);
        let (product_s, [g_low, g_high]) = plan.product_s;
        let Sums { n, m, lambda_n, lambda_m } = plan.sums;
        VerifyControlCols::<KoalaBear, L> {
            real: KoalaBear::ONE,
            x_a: plan.base.x(),
            y_a: plan.base.y(),
            x_r,
            y_r,
            s: super::cells(scalar_bytes(&plan.s)),
            e: super::cells(scalar_bytes(&plan.e)),
            id: count(id),
            offset: KoalaBear::from_bool(end.second),
            r_identity: KoalaBear::from_bool(plan.out.is_identity()),
            multiple: core::array::from_fn(|i| KoalaBear::from_bool(i == plan.multiple)),
            x_s: plan.sum.x(),
            y_s: plan.sum.y(),
            x_n: n.x(),
            y_n: n.y(),
            x_m: m.x(),
            y_m: m.y(),
            x_e: end.x,
            y_e: end.y,
            lambda_s: plan.lambda_s,
            lambda_n,
            lambda_m,
            lambda_e: end.lambda,
            witness_s: KoalaBear::ZERO,
            witness: KoalaBear::ZERO,
            u: super::cells(half_bytes(plan.pair.u_shifted())),
            w: super::limbs(plan.pair.w_shifted()),
            g_low: super::limbs(g_low),
            g_high: super::limbs(g_high),
            quotient_e: super::cells(product_e.quotient),
            carry_low_e: super::cells(product_e.carry_low),
            carry_high_e: super::cells(product_e.carry_high),
            quotient_s: super::cells(product_s.quotient),
            carry_low_s: super::cells(product_s.carry_low),
            carry_high_s: super::cells(product_s.carry_high),
        }
        .write_to(row);
    }

    fn hash(event: &VerifyEvent, hash: &mut Sha256) {
        super::hash_event(hash, event.a, &[event.s, event.e]);
    }
}
