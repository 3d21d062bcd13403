//! Claims, checkers and proofs: classes 21 to 30.

use septic_chips::check::labels;
use septic_chips::columns::ColumnSet;
use septic_chips::ladder::{DIGITS, OUTPUT_ROW};
use septic_chips::p3::ChipAir;
use septic_chips::p3_air::symbolic::{AirLayout, get_max_constraint_degree, get_symbolic_constraints};
use septic_chips::params::{CurveParams, Septic};
use septic_chips::sink::{ConstraintSink, Label};
use septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point, Scalar, Scalar256, layout, params};
use septic_prover::{Bundle, ConfigName};
use septic_trace::{AddEvent, Claim, DoubleEvent, Event, ScalarMulEvent, TraceChip, TraceError, VerifyEvent};

use crate::block::{Block, Plan};
use crate::curves::{Curve, coordinates};
use crate::forgeries::random_plan;
use crate::integer::{Digits, combine, limb_row, limbs, order, signed_wrap, to_scalar, unsigned_wrap};
use crate::judge::trace_of;
use crate::support::{Random, affine, element, multiple, scalar, times};

use super::provable;

/// Each element of a claim changed, one at a time: some instance cell of the honest trace differs.
#[test]
fn pitfall_21_every_element_of_a_claim_is_bound() {
    fn run<C: TraceChip>(event: C::Event, changes: &[Claim<C::Event>]) {
        let trace = C::generate_trace(&[event]).unwrap();
        assert_eq!(trace.instance_violations(&[Claim::of(event)]), []);
        for changed in changes {
            assert!(!trace.instance_violations(&[*changed]).is_empty(), "{changed:?}");
        }
    }
    let points = |point: Point| {
        let affine = affine(point);
        let changed = (0..14).map(move |i| {
            let (mut x, mut y) = (affine.x(), affine.y());
            let cell = if i < 7 { &mut x.0[i] } else { &mut y.0[i - 7] };
            *cell += KoalaBear::ONE;
            AffinePoint::new_unchecked(x, y).into()
        });
        changed.chain([Point::Identity])
    };
    let scalars = |s: Scalar256| {
        (0..256).map(move |k| {
            let mut limbs = limbs(&s);
            limbs[k / 16] ^= 1 << (k % 16);
            to_scalar(&limbs)
        })
    };
    let (p, q, s, e) = (multiple(3), multiple(4), Scalar256::MAX, Scalar256::from(params::ORDER));

    let event = AddEvent { p, q };
    let Claim { out, .. } = Claim::of(event);
    let mut changes: Vec<_> = points(p).map(|p| Claim { event: AddEvent { p, q }, out }).collect();
    changes.extend(points(q).map(|q| Claim { event: AddEvent { p, q }, out }));
    changes.extend(points(out).map(|out| Claim { event, out }));
    run::<AddChip>(event, &changes);

    let event = DoubleEvent { p };
    let Claim { out, .. } = Claim::of(event);
    let mut changes: Vec<_> = points(p).map(|p| Claim { event: DoubleEvent { p }, out }).collect();
    changes.extend(points(out).map(|out| Claim { event, out }));
    run::<DoubleChip>(event, &changes);

    let event = ScalarMulEvent { p, s };
    let Claim { out, .. } = Claim::of(event);
    let mut changes: Vec<_> = points(p).map(|p| Claim { event: ScalarMulEvent { p, s }, out }).collect();
    changes.extend(scalars(s).map(|s| Claim { event: ScalarMulEvent { p, s }, out }));
    changes.extend(points(out).map(|out| Claim { event, out }));
    run::<ScalarMulChip>(event, &changes);

    let event = VerifyEvent { a: p, s, e };
    let Claim { out, .. } = Claim::of(event);
    let mut changes: Vec<_> = points(p).map(|a| Claim { event: VerifyEvent { a, s, e }, out }).collect();
    changes.extend(scalars(s).map(|s| Claim { event: VerifyEvent { a: p, s, e }, out }));
    changes.extend(scalars(e).map(|e| Claim { event: VerifyEvent { a: p, s, e }, out }));
    changes.extend(points(out).map(|out| Claim { event, out }));
    run::<VerifyChip>(event, &changes);
}

#[test]
fn pitfall_22_compound_assignments() {
    let mut random = Random::new(22);
    for _ in 0..64 {
        let (a, b) = (random.septic(), random.septic());
        let mut c = a;
        c += b;
        assert_eq!(c, a + b);
        c -= b;
        assert_eq!(c, a);
        c *= b;
        assert_eq!(c, a * b);
        assert_eq!(a * b, a.dot_mul(&b));
        assert_eq!(a - b, a + -b);
        let (p, q) = (Point::from(random.point()), Point::from(random.point()));
        let mut r = p;
        r += q;
        assert_eq!(r, p + q);
        r -= q;
        assert_eq!(r, p);
        let (s, t) = (Scalar::from(random.scalar()), Scalar::from(random.scalar()));
        let mut u = s;
        u += t;
        u *= t;
        u -= s;
        assert_eq!(u, (s + t) * t - s);
    }
}

/// The checker names what is violated in every build; it relies on no debug assertion.
#[test]
fn pitfall_23_checks_in_every_build() {
    let mut plan: Plan<ScalarMulChip> = random_plan(&mut Random::new(23));
    plan.on(OUTPUT_ROW).identity = Some(KoalaBear::ONE);
    let event = ScalarMulEvent { p: multiple(3), s: Scalar256::MAX };
    let trace = trace_of::<ScalarMulChip>(plan.prove().cells(), &[event], &[]);
    let found: Vec<String> = trace.violations().iter().map(ToString::to_string).collect();
    assert_eq!(found.len(), 1);
    assert!(found[0].starts_with("event 0, row 255: scalar_mul.C") && found[0].ends_with(".output_flag"));
    assert!(!trace.instance_violations(&[Claim::of(event)]).is_empty());
    septic_prover::check::<ScalarMulChip>(&[event]).unwrap();
    let off = AffinePoint::new_unchecked(Fp7::ONE, Fp7::ONE).into();
    let error = septic_prover::check::<DoubleChip>(&[DoubleEvent { p: off }]).unwrap_err();
    assert_eq!(error[0].label.0, "trace.not_on_curve");
}

#[test]
fn pitfall_24_degrees() {
    fn run<C: Chip>() {
        let air = ChipAir::<C, KoalaBear>::unbound();
        let height = C::ROWS_PER_EVENT.max(16);
        assert_eq!(get_max_constraint_degree(&air, AirLayout::from_air::<KoalaBear>(&air), height), 3);
        for config in ConfigName::ALL {
            assert_eq!(config.max_degree(), 3);
            config.check(&air, height.ilog2() as usize).unwrap();
        }
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

#[test]
fn pitfall_25_lists_of_every_length() {
    fn run<C: TraceChip>(event: impl Fn(i64) -> C::Event) {
        for n in [0, 1, 2, 3, 4, 5, 16, 17] {
            let events: Vec<C::Event> = (1..=n).map(&event).collect();
            let height = provable::<C>(&events).main.values.len() / C::WIDTH;
            assert!(height.is_power_of_two() && height >= 16);
            assert!(height >= events.len() * C::ROWS_PER_EVENT);
        }
        assert_eq!(C::height(0), C::height(1));
        assert!(matches!(C::height(usize::MAX), Err(TraceError::TooManyEvents { .. })));
    }
    run::<AddChip>(|k| AddEvent { p: multiple(k), q: multiple(-k / 2) });
    run::<DoubleChip>(|k| DoubleEvent { p: multiple(k) });
    run::<ScalarMulChip>(|k| ScalarMulEvent { p: multiple(k), s: Scalar256::MAX });
    run::<VerifyChip>(|k| VerifyEvent { a: multiple(k), s: Scalar256::MAX, e: Scalar256::ONE });
}

/// The columns that each chip declares as read on the next row are those whose next-row cells change some equation.
#[test]
fn pitfall_26_declared_columns_of_the_next_row() {
    /// Keeps the values of all equations.
    struct Values(Vec<KoalaBear>);
    impl ConstraintSink for Values {
        type Expr = KoalaBear;
        fn constant(&self, c: u32) -> KoalaBear {
            KoalaBear::from_u32(c)
        }
        fn assert_zero(&mut self, _: Label, x: KoalaBear) {
            self.0.push(x);
        }
        fn assert_septic(&mut self, _: Label, x: Fp7) {
            self.0.extend(x.0);
        }
    }
    fn run<C: Chip>() {
        let mut random = Random::new(26);
        let mut cells = |n: usize| (0..n).map(|_| random.element()).collect::<Vec<_>>();
        let (local, flags, parameters) = (cells(C::WIDTH), cells(C::NUM_FLAGS), cells(C::NUM_PARAMETERS));
        let next = cells(C::WIDTH);
        let values = |next: &[KoalaBear]| {
            let mut sink = Values(Vec::new());
            let (local, next) = (C::Cols::from_fn(|i| local[i]), C::Cols::from_fn(|i| next[i]));
            C::eval(&mut sink, &local, &next, &C::Flags::from_fn(|i| flags[i]), &parameters);
            sink.0
        };
        let honest = values(&next);
        let is_read = |&column: &usize| {
            let mut next = next.clone();
            next[column] += KoalaBear::ONE;
            values(&next) != honest
        };
        assert_eq!((0..C::WIDTH).filter(is_read).collect::<Vec<_>>(), C::NEXT_ROW_COLUMNS);
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

/// The proof system sees as many equations as there are labelled ones.
#[test]
fn pitfall_27_constraints_that_vanish() {
    fn run<C: Chip>() {
        let air = ChipAir::<C, KoalaBear>::unbound();
        let seen = get_symbolic_constraints(&air, AirLayout::from_air::<KoalaBear>(&air)).len();
        let labelled: usize = labels::<C>().into_iter().map(|(_, equations)| equations).sum();
        assert_eq!(seen, labelled);
        assert!(seen > 30);
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}

#[test]
fn pitfall_28_configurations_are_the_verifiers() {
    let events = [Event::Double(DoubleEvent { p: multiple(3) })];
    let (bundle, claims) = Bundle::prove(ConfigName::Testing, &events, &mut ()).unwrap();
    for config in ConfigName::ALL {
        assert_eq!(bundle.verify(config, &claims).is_ok(), config == ConfigName::Testing);
    }
    // The bundle's word for it, changed, does not make it another configuration's.
    let bytes = bundle.to_bytes().unwrap();
    for name in 0..3 {
        // Eight bytes of magic and four of the version come first.
        let mut changed = bytes.clone();
        changed[12] = name;
        if let Ok(bundle) = Bundle::from_bytes(&changed) {
            let config = bundle.config();
            assert_eq!(bundle.verify(config, &claims).is_ok(), config == ConfigName::Testing);
        }
    }
}

#[test]
fn pitfall_29_malformed_bytes() {
    let events = [Event::Double(DoubleEvent { p: multiple(3) })];
    let (bundle, claims) = Bundle::prove(ConfigName::Testing, &events, &mut ()).unwrap();
    let bytes = bundle.to_bytes().unwrap();
    let accepts = |bytes: &[u8]| {
        Bundle::from_bytes(bytes).is_ok_and(|bundle| bundle.verify(ConfigName::Testing, &claims).is_ok())
    };
    assert!(accepts(&bytes));
    assert!(!accepts(&[]));
    assert!(!accepts(&[bytes.as_slice(), &[0]].concat()));
    let mut random = Random::new(29);
    for _ in 0..200 {
        let at = random.below(bytes.len());
        assert!(!accepts(&bytes[..at]));
        let mut flipped = bytes.clone();
        flipped[at] ^= 1 << random.below(8);
        assert!(!accepts(&flipped), "byte {at}");
    }
}

#[test]
fn pitfall_30_constants_of_host_and_circuit() {
    let residues = |point: AffinePoint| {
        let (x, y) = point.to_canonical();
        [x, y]
    };
    assert_eq!(Septic::A, params::CURVE_A);
    assert_eq!(Septic::B, params::CURVE_B.to_canonical());
    assert_eq!(Septic::OFFSETS, params::OFFSETS.map(residues));
    assert_eq!(Septic::SCALAR_MUL_CORRECTIONS, params::SCALAR_MUL_CORRECTIONS.map(residues));
    assert_eq!(Septic::VERIFY_CORRECTIONS, params::VERIFY_CORRECTIONS.map(residues));
    assert_eq!(Septic::HALF_GENERATOR, residues(params::HALF_GENERATOR));
    assert_eq!(params::HALF_GENERATOR.double(), params::GENERATOR);
    let h = coordinates(Septic::HALF_GENERATOR);
    assert_eq!(times(scalar(2), AffinePoint::new(h.x, h.y).unwrap()), Point::GENERATOR);
    // The limbs of the order and of its multiples, as the rows read them.
    assert_eq!(to_scalar(&order()), Scalar256::from(params::ORDER));
    for (multiple, factor) in [(signed_wrap(), 217_793_461_814), (unsigned_wrap(), 145_195_641_208)] {
        assert_eq!(combine(&[(factor, &order())]), Some(multiple));
        assert_eq!(multiple_of_generator(&multiple), Point::Identity);
    }
    // Digits and limbs are read most significant first: row 13 shows the highest limb.
    assert_eq!((limb_row(15), limb_row(0)), (13, 253));
    let s = to_scalar(&core::array::from_fn(|l| i64::try_from(l).unwrap() + 1));
    let block = Block::<ScalarMulChip>::honest(Some(Septic::generator()), &s, &Scalar256::ZERO);
    assert_eq!(block.rows[13].limb, element(16));
    assert_eq!(block.rows[253].limb, element(1));
    assert_eq!(Digits::unsigned(&limbs(&s)).digits[DIGITS - 1], 1);
    // 2·G and the vector's endianness: the low limb of x comes first in memory.
    let words = layout::encode_point(&Point::GENERATOR);
    assert_eq!(words[0] & 0xffff_ffff, u64::from(params::GENERATOR.to_canonical().0[0]));
}

fn multiple_of_generator(limbs: &crate::integer::Limbs) -> Point {
    Point::GENERATOR.mul_vartime(&to_scalar(limbs))
}
