//! Inputs: classes 12 to 20.

use std::collections::BTreeSet;

use septic_chips::ladder::OUTPUT_ROW;
use septic_chips::params::Septic;
use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::{PrimeCharacteristicRing, PrimeField32};
use septic_curve::{
    AffinePoint, Fp7, KoalaBear, Point, PointError, Scalar, Scalar256, layout, lift_x, params,
};
use septic_trace::{AddEvent, Claim, DoubleEvent, ScalarMulEvent, TraceChip, TraceError, VerifyEvent};

use crate::block::Plan;
use crate::curves::Curve;
use crate::forgeries::{RealChip, random_plan};
use crate::integer::{combine, limbs, order, power_of_two, to_scalar};
use crate::judge::{found_in, names_in, trace_of};
use crate::rows::{AddPlan, DoublePlan};
use crate::support::{Coordinates, Random, at_point, monomial, multiple, scalar};

use super::{add_names, double_names, only, parameters, provable};

#[test]
fn pitfall_12_zeros_and_identities() {
    let (zero, one, r) = (Scalar256::ZERO, Scalar256::ONE, Scalar256::from(params::ORDER));
    let points = [Point::Identity, multiple(1), multiple(5)];
    let scalars = [zero, one, r];
    let mut scalar_muls = Vec::new();
    let mut verifies = Vec::new();
    for p in points {
        for s in scalars {
            scalar_muls.push(ScalarMulEvent { p, s });
            verifies.extend(scalars.map(|e| VerifyEvent { a: p, s, e }));
        }
    }
    // s·G + e·A = 𝒪 in other ways.
    let k = Scalar::from(77_u64);
    verifies.push(VerifyEvent { a: multiple(1), s: k.into(), e: (-k).into() });
    verifies.push(VerifyEvent { a: multiple(7), s: k.into(), e: (-Scalar::from(11_u64)).into() });
    let trace = provable::<ScalarMulChip>(&scalar_muls);
    assert!(trace.outputs.iter().filter(|out| out.is_identity()).count() >= 7);
    let trace = provable::<VerifyChip>(&verifies);
    assert!(trace.outputs[verifies.len() - 2..].iter().all(Point::is_identity));
    let adds = points
        .iter()
        .flat_map(|&p| points.iter().flat_map(move |&q| [q, -q]).map(move |q| AddEvent { p, q }));
    provable::<AddChip>(&adds.collect::<Vec<_>>());
    provable::<DoubleChip>(&points.map(|p| DoubleEvent { p }));
}

#[test]
fn pitfall_13_scalars_around_the_order() {
    let (one, r) = (power_of_two(0), order());
    let mut scalars = vec![Scalar256::MAX];
    for k in 1..=3 {
        for by in -2..=2 {
            scalars.push(to_scalar(&combine(&[(k, &r), (by, &one)]).unwrap()));
        }
    }
    for by in 0..4 {
        scalars.push(to_scalar(&combine(&[(1, &limbs(&Scalar256::MAX)), (-by, &one)]).unwrap()));
    }
    let base = multiple(5);
    provable::<ScalarMulChip>(&scalars.iter().map(|&s| ScalarMulEvent { p: base, s }).collect::<Vec<_>>());
    let pairs = scalars.iter().zip(scalars.iter().rev());
    provable::<VerifyChip>(&pairs.map(|(&s, &e)| VerifyEvent { a: base, s, e }).collect::<Vec<_>>());
}

#[test]
fn pitfall_14_related_keys() {
    let mut random = Random::new(14);
    let mut events = Vec::new();
    for k in [1, -1, 2, -2, 3, -3, 4, -4] {
        // Pairs that end in small multiples of G, on top of random ones: s ≡ −k·e.
        for small in -3..=3 {
            let e = Scalar::from(random.scalar());
            let s = scalar(small) - scalar(k) * e;
            events.push(VerifyEvent { a: multiple(k), s: s.into(), e: e.into() });
        }
        events.extend((0..16).map(|_| VerifyEvent {
            a: multiple(k),
            s: random.scalar(),
            e: random.scalar(),
        }));
    }
    assert_eq!(provable::<VerifyChip>(&events).second_offsets, [0_usize; 0]);
}

/// Digits are ±1: an addition takes place on every row, so none is unused. Runs of equal bits, zeros among them, are
/// provable.
#[test]
fn pitfall_15_additions_that_are_not_used() {
    let mut scalars = vec![Scalar256::ZERO, Scalar256::MAX];
    scalars.extend([0, 1, 15, 16, 100, 216, 217, 255].map(|k| to_scalar(&power_of_two(k))));
    let pairs = scalars.iter().flat_map(|&s| scalars.iter().map(move |&e| (s, e)));
    let a = multiple(6);
    provable::<VerifyChip>(&pairs.map(|(s, e)| VerifyEvent { a, s, e }).collect::<Vec<_>>());
}

/// Bits above those of the order count: each gives a result of its own, and cannot be shown or hidden.
#[test]
fn pitfall_16_high_bits_count() {
    fn run<C: RealChip>(event: impl Fn(Scalar256) -> C::Event) {
        let events: Vec<C::Event> = (217..256).map(|k| event(to_scalar(&power_of_two(k)))).collect();
        let outputs: BTreeSet<_> = provable::<C>(&events).outputs.iter().map(Point::to_canonical).collect();
        assert_eq!(outputs.len(), events.len());
        let mut random = Random::new(16);
        for k in 217..256 {
            let mut plan: Plan<C> = random_plan(&mut random);
            let used = plan.e.shown;
            plan.e.carried = Some(used);
            plan.e.shown[k / 16] ^= 1 << (k % 16);
            let block = plan.prove();
            assert_eq!(names_in(&block), only("limb_tie"));
            assert!(!block.statement_holds());
        }
    }
    let base = multiple(5);
    run::<ScalarMulChip>(|s| ScalarMulEvent { p: base, s });
    run::<VerifyChip>(|e| VerifyEvent { a: base, s: Scalar256::MAX, e });
}

#[test]
fn pitfall_17_one_identity_and_points_with_x_0() {
    // x = 0 is on the curve: a point like any other, not the identity.
    let y = Septic::b().try_sqrt().unwrap();
    let point = Point::from(AffinePoint::new(Fp7::ZERO, y).unwrap());
    let q = multiple(5);
    let sums = [q, point, -point, Point::Identity].map(|q| AddEvent { p: point, q });
    provable::<AddChip>(&sums);
    provable::<DoubleChip>(&[DoubleEvent { p: point }]);
    provable::<ScalarMulChip>(&[ScalarMulEvent { p: point, s: Scalar256::MAX }]);
    let flagged = AddPlan { p: point.into(), ..AddPlan::new(Point::Identity, q) };
    assert_eq!(add_names(&flagged), only("p_curve"));
    // The identity is (0, 0) alone: the flag goes with no other coordinates, and (0, 0) not without the flag.
    let other = AddPlan { p: q.into(), ..AddPlan::new(Point::Identity, q) };
    assert!(!add_names(&other).is_empty());
    let unflagged = AddPlan { p_identity: KoalaBear::ZERO, ..AddPlan::new(Point::Identity, q) };
    assert!(add_names(&unflagged).contains("p_curve"));
    let double = DoublePlan { p: point.into(), ..DoublePlan::new(Point::Identity) };
    assert!(!double_names(&double).is_empty());
    let double = DoublePlan { p_identity: KoalaBear::ZERO, ..DoublePlan::new(Point::Identity) };
    assert!(double_names(&double).contains("p_curve"));
    // In the ladder rows of an identity hold a finite point. The chip takes any, the claims one.
    fn run<C: RealChip>(event: C::Event) {
        let mut random = Random::new(17);
        let trace = at_point(C::generate_trace(&[event]).unwrap(), KoalaBear::TWO);
        let claims = [Claim::of(event)];
        assert_eq!(claims[0].out, Point::Identity);
        let zero = Scalar256::ZERO;
        let mut plan = Plan::<C>::new(None, &Scalar256::from(3_u64), &zero);
        assert_eq!(plan.prove().cells(), trace.main.values);
        plan.base = random.point().into();
        let other_base = plan.prove();
        let mut plan = Plan::<C>::new(None, &Scalar256::from(3_u64), &zero);
        plan.on(OUTPUT_ROW).base = Some(random.point().into());
        for block in [other_base, plan.prove()] {
            assert_eq!(found_in(&block), []);
            assert!(block.statement_holds());
            let trace = trace_of::<C>(block.cells(), &[event], &parameters::<C>());
            assert!(!trace.instance_violations(&claims).is_empty());
        }
    }
    let s = Scalar256::from(3_u64);
    run::<ScalarMulChip>(ScalarMulEvent { p: Point::Identity, s });
    run::<VerifyChip>(VerifyEvent { a: Point::Identity, s: Scalar256::ZERO, e: s });
}

#[test]
fn pitfall_18_keys_off_the_curve() {
    let mut random = Random::new(18);
    let on = random.point();
    // Anywhere, on another curve y² = x³ + ax + b′, on the twist, all zeros, on the curve but for the last bit.
    let x_of_twist = (0..).map(|_| random.septic()).find(|&x| lift_x(x).is_none()).unwrap();
    let off = [
        Coordinates::new(random.septic(), random.septic()),
        Coordinates::new(on.x(), on.y().doubled()),
        Coordinates::new(x_of_twist, random.septic()),
        Coordinates::ZERO,
        Coordinates::new(on.x(), on.y() + monomial(KoalaBear::ONE, 6)),
    ];
    fn run<C: RealChip>(event: impl Fn(Point) -> C::Event, off: Coordinates, field: &'static str) {
        let point = AffinePoint::new_unchecked(off.x, off.y).into();
        let error = C::generate_trace(&[event(multiple(3)), event(point)]).unwrap_err();
        assert_eq!(error, TraceError::NotOnCurve { event: 1, field });
        let mut plan: Plan<C> = random_plan(&mut Random::new(19));
        plan.base = off;
        let block = plan.prove();
        assert!(names_in(&block).contains("slope_1"));
        assert!(!block.statement_holds());
    }
    for off in off {
        run::<ScalarMulChip>(|p| ScalarMulEvent { p, s: Scalar256::MAX }, off, "p");
        run::<VerifyChip>(|a| VerifyEvent { a, s: Scalar256::MAX, e: Scalar256::MAX }, off, "a");
        let plan = AddPlan::generic(off, multiple(3).into());
        assert!(add_names(&plan).contains("p_curve"));
        assert!(double_names(&DoublePlan::generic(off)).contains("p_curve"));
        assert_eq!(AffinePoint::new(off.x, off.y), Err(PointError::NotOnCurve));
    }
}

/// s and s + r give the same result, and both are exact. Rejecting s ≥ r is the signature scheme's part.
#[test]
fn pitfall_19_scalars_that_are_not_reduced() {
    let (r, s) = (order(), limbs(&Scalar256::from(123_456_789_u64)));
    let shifted: Vec<Scalar256> = (0..4).map(|k| to_scalar(&combine(&[(1, &s), (k, &r)]).unwrap())).collect();
    let trace = provable::<VerifyChip>(
        &shifted
            .iter()
            .flat_map(|&s| shifted.iter().map(move |&e| VerifyEvent { a: multiple(5), s, e }))
            .collect::<Vec<_>>(),
    );
    assert!(trace.outputs.windows(2).all(|pair| pair[0] == pair[1]));
    // A claim about s is not one about s + r.
    let events = [0, 1].map(|k| VerifyEvent { a: multiple(5), s: shifted[k], e: shifted[0] });
    let trace = VerifyChip::generate_trace(&events[..1]).unwrap();
    let claims = events.map(|event| Claim { event, out: trace.outputs[0] });
    assert_eq!(trace.instance_violations(&claims[..1]), []);
    assert_ne!(trace.instance_violations(&claims[1..]), []);
}

#[test]
fn pitfall_20_limbs_that_are_not_below_p() {
    let p = KoalaBear::ORDER_U32;
    let (x, y) = params::GENERATOR.to_canonical();
    for i in 0..7 {
        for above in [p, p + 1, u32::MAX] {
            let mut x = x;
            x[i] = above;
            let error = Err(PointError::Limb { coordinate: 'x', index: i, value: above });
            assert_eq!(AffinePoint::from_canonical(x, y), error);
        }
        // The residue is the same: x + p.
        let mut shifted = y;
        shifted[i] = y[i].wrapping_add(p);
        if shifted[i] > y[i] {
            assert!(matches!(AffinePoint::from_canonical(x, shifted), Err(PointError::Limb { .. })));
            let mut words = layout::encode_point(&Point::GENERATOR);
            let limb = 7 + i;
            words[limb / 2] += u64::from(p) << (32 * (limb % 2));
            assert!(matches!(layout::decode_point(&words), Err(PointError::Limb { .. })));
        }
    }
}
