//! Events, claims and all their one-element changes.

use p3_field::PrimeCharacteristicRing;
use septic_prover::MixedClaim;
use septic_prover::single::ProvableChip;
use septic_trace::septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_trace::septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Scalar256, params};
use septic_trace::{AddEvent, Claim, DoubleEvent, Event, Execute, ScalarMulEvent, VerifyEvent};
use serde_json::Value;

pub(crate) fn multiple(k: u64) -> Point {
    Point::GENERATOR.mul_vartime(&Scalar256::from(k))
}

pub(crate) fn order_minus(k: u64) -> Scalar256 {
    Scalar256::from(params::ORDER.wrapping_sub(&k.into()))
}

/// A chip with sample events.
pub(crate) trait ChipCase: ProvableChip {
    /// A sample event, different for each `i`.
    fn event(i: usize) -> Self::Event;
    /// If `changed` differs from `claim` in one identity made finite: that point replaced by `point`.
    fn with_sentinel(
        claim: &Claim<Self::Event>,
        changed: &Claim<Self::Event>,
        point: Point,
    ) -> Option<Claim<Self::Event>>;
    /// All claims that differ from `claim` in one element.
    fn changes(claim: &Claim<Self::Event>) -> Vec<Claim<Self::Event>>;
}

/// All changes of one element of a point: each coordinate, and between finite and identity. Fifteen.
fn point_changes(point: Point) -> Vec<Point> {
    let (x, y) = point.to_affine().map_or((Fp7::ZERO, Fp7::ZERO), |p| (p.x(), p.y()));
    let mut changes = Vec::new();
    for i in 0..14 {
        let (mut x, mut y) = (x, y);
        let cell = if i < 7 { &mut x.0[i] } else { &mut y.0[i - 7] };
        *cell += KoalaBear::ONE;
        changes.push(Point::Affine(AffinePoint::new_unchecked(x, y)));
    }
    changes.push(if point.is_identity() { multiple(1) } else { Point::Identity });
    changes
}

/// All changes of one limb of a scalar: sixteen.
fn scalar_changes(s: Scalar256) -> Vec<Scalar256> {
    (0..16)
        .map(|l| {
            let mut limbs = s.to_le_limbs();
            limbs[l / 2] ^= 1 << (16 * (l % 2));
            Scalar256::from_le_limbs(limbs)
        })
        .collect()
}

/// `point` where `old` is the identity and `new` is the generator; `old` otherwise.
fn sentinel(old: Point, new: Point, point: Point) -> Point {
    if old.is_identity() && new == multiple(1) { point } else { old }
}

/// Whether a claim was made different.
fn if_changed<E: Execute>(claim: &Claim<E>, event: E, out: Point) -> Option<Claim<E>> {
    let changed = Claim { event, out };
    (changed != *claim).then_some(changed)
}

fn out_changes<E: Execute>(claim: &Claim<E>) -> impl Iterator<Item = Claim<E>> + use<E> {
    let event = claim.event;
    point_changes(claim.out).into_iter().map(move |out| Claim { event, out })
}

impl ChipCase for AddChip {
    fn event(i: usize) -> AddEvent {
        let i = i as u64;
        AddEvent { p: multiple(i), q: multiple(i * i + 1) }
    }

    fn with_sentinel(
        claim: &Claim<AddEvent>,
        changed: &Claim<AddEvent>,
        point: Point,
    ) -> Option<Claim<AddEvent>> {
        let event = AddEvent {
            p: sentinel(claim.event.p, changed.event.p, point),
            q: sentinel(claim.event.q, changed.event.q, point),
        };
        if_changed(claim, event, sentinel(claim.out, changed.out, point))
    }

    fn changes(claim: &Claim<AddEvent>) -> Vec<Claim<AddEvent>> {
        let (AddEvent { p, q }, out) = (claim.event, claim.out);
        let of = |p, q| Claim { event: AddEvent { p, q }, out };
        let mut changes: Vec<_> = point_changes(p).into_iter().map(|p| of(p, q)).collect();
        changes.extend(point_changes(q).into_iter().map(|q| of(p, q)));
        changes.extend(out_changes(claim));
        changes
    }
}

impl ChipCase for DoubleChip {
    fn event(i: usize) -> DoubleEvent {
        DoubleEvent { p: multiple(i as u64) }
    }

    fn with_sentinel(
        claim: &Claim<DoubleEvent>,
        changed: &Claim<DoubleEvent>,
        point: Point,
    ) -> Option<Claim<DoubleEvent>> {
        let event = DoubleEvent { p: sentinel(claim.event.p, changed.event.p, point) };
        if_changed(claim, event, sentinel(claim.out, changed.out, point))
    }

    fn changes(claim: &Claim<DoubleEvent>) -> Vec<Claim<DoubleEvent>> {
        let out = claim.out;
        let of = |p| Claim { event: DoubleEvent { p }, out };
        let mut changes: Vec<_> = point_changes(claim.event.p).into_iter().map(of).collect();
        changes.extend(out_changes(claim));
        changes
    }
}

impl ChipCase for ScalarMulChip {
    fn event(i: usize) -> ScalarMulEvent {
        // The first base is the identity.
        ScalarMulEvent { p: multiple(i as u64), s: order_minus(i as u64 * 1_000_003) }
    }

    fn with_sentinel(
        claim: &Claim<ScalarMulEvent>,
        changed: &Claim<ScalarMulEvent>,
        point: Point,
    ) -> Option<Claim<ScalarMulEvent>> {
        let event = ScalarMulEvent { p: sentinel(claim.event.p, changed.event.p, point), ..claim.event };
        if_changed(claim, event, sentinel(claim.out, changed.out, point))
    }

    fn changes(claim: &Claim<ScalarMulEvent>) -> Vec<Claim<ScalarMulEvent>> {
        let (ScalarMulEvent { p, s }, out) = (claim.event, claim.out);
        let of = |p, s| Claim { event: ScalarMulEvent { p, s }, out };
        let mut changes: Vec<_> = point_changes(p).into_iter().map(|p| of(p, s)).collect();
        changes.extend(scalar_changes(s).into_iter().map(|s| of(p, s)));
        changes.extend(out_changes(claim));
        changes
    }
}

impl ChipCase for VerifyChip {
    fn event(i: usize) -> VerifyEvent {
        let i = i as u64;
        // The second event is (r − 1)·G + 1·G: the identity.
        VerifyEvent { a: multiple(i), s: order_minus(i), e: Scalar256::from(i) }
    }

    fn with_sentinel(
        claim: &Claim<VerifyEvent>,
        changed: &Claim<VerifyEvent>,
        point: Point,
    ) -> Option<Claim<VerifyEvent>> {
        let event = VerifyEvent { a: sentinel(claim.event.a, changed.event.a, point), ..claim.event };
        if_changed(claim, event, sentinel(claim.out, changed.out, point))
    }

    fn changes(claim: &Claim<VerifyEvent>) -> Vec<Claim<VerifyEvent>> {
        let (VerifyEvent { a, s, e }, out) = (claim.event, claim.out);
        let of = |a, s, e| Claim { event: VerifyEvent { a, s, e }, out };
        let mut changes: Vec<_> = point_changes(a).into_iter().map(|a| of(a, s, e)).collect();
        changes.extend(scalar_changes(s).into_iter().map(|s| of(a, s, e)));
        changes.extend(scalar_changes(e).into_iter().map(|e| of(a, s, e)));
        changes.extend(out_changes(claim));
        changes
    }
}

/// The add, double, scalar_mul and verify cases of the oracle's vectors, in file order.
pub(crate) fn vectors() -> Vec<MixedClaim> {
    fn point(v: &Value) -> Point {
        let limbs = |v: &Value| core::array::from_fn(|i| u32::try_from(v[i].as_u64().unwrap()).unwrap());
        Point::from_canonical((!v.is_null()).then(|| (limbs(&v["x"]), limbs(&v["y"])))).unwrap()
    }
    fn scalar(v: &Value) -> Scalar256 {
        Scalar256::from_hex(v.as_str().unwrap()).unwrap()
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/vectors.json");
    let file: Value = serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
    let event = |c: &Value| match c["op"].as_str().unwrap() {
        "add" => Some(Event::Add(AddEvent { p: point(&c["p"]), q: point(&c["q"]) })),
        "double" => Some(Event::Double(DoubleEvent { p: point(&c["p"]) })),
        "scalar_mul" => Some(Event::ScalarMul(ScalarMulEvent { p: point(&c["p"]), s: scalar(&c["s"]) })),
        "verify" => {
            Some(Event::Verify(VerifyEvent { a: point(&c["a"]), s: scalar(&c["s"]), e: scalar(&c["e"]) }))
        }
        _ => None,
    };
    let cases = file["cases"].as_array().unwrap().iter();
    cases.filter_map(|c| Some(Claim { event: event(c)?, out: point(&c["out"]) })).collect()
}
