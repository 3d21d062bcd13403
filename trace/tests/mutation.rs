//! Every cell of every row of traces of all cases is changed: the change is noticed unless the cell is a known
//! don't-care.
#![allow(clippy::unwrap_used)]

use p3_field::PrimeCharacteristicRing;
use septic_chips::columns::ColumnSet;
use septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::{AffinePoint, KoalaBear, Point, Scalar256, params};
use septic_trace::{AddEvent, Claim, DoubleEvent, Execute, ScalarMulEvent, Trace, TraceChip, VerifyEvent};

/// A cell by the name of its field, its event (`None` on padding) and its row in the event.
type Cell = (&'static str, Option<usize>, usize);

fn multiple(k: u64) -> Point {
    Point::GENERATOR.mul_vartime(&Scalar256::from(k))
}

fn field_of<C: Chip>(column: usize) -> &'static str {
    let fields = <C::Cols<u32> as ColumnSet<u32>>::FIELDS;
    fields.iter().find(|f| (f.offset..f.offset + f.width).contains(&column)).unwrap().name
}

/// A change of one cell.
#[derive(Clone, Copy, Debug)]
enum Change {
    /// Adds a number.
    Add(u32),
    /// Writes a number.
    Set(u32),
    /// Writes a number that looks random, another one for each cell.
    Random,
    /// Exchanges the cell with the one below it, the last row's with the first row's.
    Swap,
}

/// What is done to each cell.
const CHANGES: [Change; 6] =
    [Change::Add(1), Change::Add(P - 1), Change::Set(0), Change::Set(P - 1), Change::Random, Change::Swap];

/// The characteristic.
const P: u32 = 0x7f00_0001;

/// splitmix64.
fn random(seed: usize) -> KoalaBear {
    let mut z = (seed as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x632b_e59b_d9b4_e019);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    KoalaBear::from_u64(z ^ (z >> 31))
}

/// Changes each cell in each way and returns the cells (by field, event, row) whose change no constraint notices, and
/// the number of changes.
fn unnoticed<C: TraceChip>(trace: &Trace<C>) -> (Vec<Cell>, usize) {
    let height = trace.main.values.len() / C::WIDTH;
    let mut trace = trace.clone();
    let (mut found, mut count) = (Vec::new(), 0);
    for row in 0..height {
        let (above, below) = ((row + height - 1) % height, (row + 1) % height);
        for column in 0..C::WIDTH {
            let (at, other) = (row * C::WIDTH + column, below * C::WIDTH + column);
            let (honest, honest_below) = (trace.main.values[at], trace.main.values[other]);
            for change in CHANGES {
                trace.main.values[at] = match change {
                    Change::Add(delta) => honest + KoalaBear::from_u32(delta),
                    Change::Set(value) => KoalaBear::from_u32(value),
                    Change::Random => random(at),
                    Change::Swap => honest_below,
                };
                if trace.main.values[at] - honest == KoalaBear::ZERO {
                    continue;
                }
                count += 1;
                // A cell is read by its own row and by the row before.
                let noticed = if matches!(change, Change::Swap) {
                    trace.main.values[other] = honest;
                    let violations = trace.violations_on(&[above, row, below]);
                    trace.main.values[other] = honest_below;
                    violations
                } else {
                    trace.violations_on(&[above, row])
                };
                if noticed.is_empty() {
                    let event = row / C::ROWS_PER_EVENT;
                    let event = (event < trace.outputs.len()).then_some(event);
                    found.push((field_of::<C>(column), event, row % C::ROWS_PER_EVENT));
                }
            }
            trace.main.values[at] = honest;
        }
    }
    found.sort_unstable();
    found.dedup();
    (found, count)
}

/// [`unnoticed`], with the number of changes printed and pinned.
#[allow(clippy::print_stdout, reason = "counts, shown with --nocapture")]
fn refused<C: TraceChip>(what: &str, trace: &Trace<C>, expected: usize) -> Vec<Cell> {
    let (free, count) = unnoticed(trace);
    println!("mutations of {what}: {count}");
    assert_eq!(count, expected, "{what}: number of changes");
    free
}

fn honest<C: TraceChip>(events: &[C::Event]) -> Trace<C> {
    let trace = C::generate_trace(events).unwrap();
    assert_eq!(trace.violations(), []);
    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    assert_eq!(trace.instance_violations(&claims), []);
    trace
}

#[test]
fn add() {
    let (p, q) = (multiple(5), multiple(7));
    let events = [
        AddEvent { p, q },
        AddEvent { p, q: p },
        AddEvent { p, q: -p },
        AddEvent { p: Point::Identity, q },
        AddEvent { p, q: Point::Identity },
        AddEvent { p: Point::Identity, q: Point::Identity },
    ];
    let free = refused("add, six cases and padding", &honest::<AddChip>(&events), 3_821);
    // The slope is free on rows that use none: every case but the first two, and padding.
    let mut expected = vec![("lambda", None, 0)];
    expected.extend((2..6).map(|i| ("lambda", Some(i), 0)));
    // Padding rows claim nothing: without is_real the result is free.
    expected.extend([("x_r", None, 0), ("y_r", None, 0)]);
    assert_eq!(free, expected);
}

/// A trace that events fill to the last row: the last row's successor is the first.
#[test]
fn add_and_double_exactly_full() {
    let events: Vec<AddEvent> = (0..16)
        .map(|i| AddEvent { p: multiple(i % 4), q: if i % 3 == 0 { -multiple(i % 4) } else { multiple(i) } })
        .collect();
    let trace = honest::<AddChip>(&events);
    let free = refused("add, exactly full", &trace, 4_750);
    // The slope is free exactly where none is needed: an identity among the inputs, or P = −Q.
    let no_slope = |e: &AddEvent| e.p.is_identity() || e.q.is_identity() || e.p == -e.q;
    let expected: Vec<Cell> =
        (0..16).filter(|&i| no_slope(&events[i])).map(|i| ("lambda", Some(i), 0)).collect();
    assert_eq!(free, expected);
    let events: Vec<DoubleEvent> = (0..16).map(|i| DoubleEvent { p: multiple(i % 5) }).collect();
    assert_eq!(refused("double, exactly full", &honest::<DoubleChip>(&events), 3_339), []);
}

#[test]
fn verify_second_offset_with_padding() {
    // A = ∓B_0 with first digit ∓: acc = −σA on row 0 for the first offset. Two more events and a padding block.
    let base = Point::Affine(params::OFFSETS[0]);
    let events = [
        VerifyEvent { a: base, s: Scalar256::from(5u64), e: Scalar256::ZERO },
        VerifyEvent { a: multiple(1), s: order_minus(1), e: order_minus(1) },
        VerifyEvent { a: multiple(2), s: Scalar256::ZERO, e: Scalar256::ZERO },
    ];
    let trace = honest::<VerifyChip>(&events);
    assert_eq!(trace.second_offsets, [0]);
    let free = refused("verify, second offset and padding", &trace, 317_465);
    assert_eq!(free, free_carries(&["carry_0", "carry_1", "carry_g_0", "carry_g_1"], 3, true));
}

#[test]
fn double() {
    let events = [DoubleEvent { p: multiple(3) }, DoubleEvent { p: Point::Identity }];
    assert_eq!(refused("double, both cases and padding", &honest::<DoubleChip>(&events), 2_480), []);
}

/// Carries on the two rows after the last limb row belong to no limb.
fn free_carries(names: &[&'static str], events: usize, padding: bool) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    for name in names {
        for event in (0..events).map(Some).chain(padding.then_some(None)) {
            cells.extend([(*name, event, 254), (*name, event, 255)]);
        }
    }
    cells.sort_unstable();
    cells
}

/// s·𝒪 = 𝒪 whatever s is: with an identity base every scalar makes a true statement. Claims pin it.
fn free_limbs(event: usize) -> impl Iterator<Item = Cell> {
    (0..16).map(move |m| ("limb", Some(event), 13 + 16 * m))
}

fn order_minus(k: u64) -> Scalar256 {
    Scalar256::from(params::ORDER.wrapping_sub(&k.into()))
}

#[test]
fn scalar_mul() {
    let events = [
        ScalarMulEvent { p: multiple(5), s: Scalar256::MAX },
        ScalarMulEvent { p: multiple(9), s: Scalar256::ZERO },
        ScalarMulEvent { p: Point::Identity, s: order_minus(3) },
    ];
    // Three events and a padding block.
    let free = refused("scalar_mul, three cases and padding", &honest::<ScalarMulChip>(&events), 243_128);
    let mut expected = free_carries(&["carry_0", "carry_1"], 3, true);
    expected.extend(free_limbs(2));
    expected.sort_unstable();
    assert_eq!(free, expected);
}

#[test]
fn scalar_mul_second_offset() {
    // P = B_0 with first digit −: acc = −σT on row 0 for the first offset.
    let base = Point::Affine(params::OFFSETS[0]);
    let events = [ScalarMulEvent { p: base, s: Scalar256::ZERO }];
    let trace = honest::<ScalarMulChip>(&events);
    assert_eq!(trace.second_offsets, [0]);
    assert_eq!(trace.main.values.len() / ScalarMulChip::<septic_chips::params::Septic>::WIDTH, 256);
    let free = refused("scalar_mul, second offset, exactly full", &trace, 60_936);
    assert_eq!(free, free_carries(&["carry_0", "carry_1"], 1, false));
}

#[test]
fn verify() {
    let third_of_half = {
        // R = s·G = ±H/3: acc₂ = 3R meets ±H on the output row.
        let third = septic_curve::Scalar::from(6u64).invert().expect("6 is not a multiple of r");
        Scalar256::from(third)
    };
    let events = [
        VerifyEvent { a: -multiple(2), s: Scalar256::from(12345u64), e: Scalar256::MAX },
        VerifyEvent { a: Point::Identity, s: order_minus(1), e: order_minus(1) },
        VerifyEvent { a: multiple(1), s: order_minus(77), e: Scalar256::from(77u64) },
        VerifyEvent { a: multiple(4), s: third_of_half, e: Scalar256::ZERO },
    ];
    let trace = honest::<VerifyChip>(&events);
    assert_eq!(trace.outputs[2], Point::Identity);
    let free = refused("verify, four cases, exactly full", &trace, 317_734);
    let mut expected = free_carries(&["carry_0", "carry_1", "carry_g_0", "carry_g_1"], 4, false);
    // x₂ = x_H on the output row of the last event: C31 and C32 read 0 = 0.
    expected.extend([("lambda_3", Some(3), 255), ("witness", Some(3), 255)]);
    expected.extend(free_limbs(1));
    expected.sort_unstable();
    assert_eq!(free, expected);
}

/// With the claims beside the trace, the cells that only they pin are noticed too.
#[test]
fn claims_pin_padding_and_shown_points() {
    let events = [AddEvent { p: multiple(1), q: multiple(2) }];
    let claims = [Claim::of(events[0])];
    let mut trace = honest::<AddChip>(&events);
    let width = AddChip::<septic_chips::params::Septic>::WIDTH;
    trace.main.values[width + 28] = KoalaBear::ONE;
    assert_eq!(trace.violations(), []);
    assert_eq!(trace.instance_violations(&claims).len(), 1);
}

#[test]
fn off_curve_points_have_no_trace() {
    let p = params::GENERATOR;
    let off = Point::Affine(AffinePoint::new_unchecked(p.x(), p.x()));
    let error = ScalarMulChip::generate_trace(&[
        ScalarMulEvent { p: Point::GENERATOR, s: Scalar256::ONE },
        ScalarMulEvent { p: off, s: Scalar256::ONE },
    ])
    .unwrap_err();
    assert_eq!(error.to_string(), "event 1: p: the point is not on the curve");
    let error = AddChip::generate_trace(&[AddEvent { p: Point::Identity, q: off }]).unwrap_err();
    assert_eq!(error.to_string(), "event 0: q: the point is not on the curve");
}

#[test]
fn lists_of_any_length() {
    fn run<C: TraceChip>(event: impl Fn(u64) -> C::Event) {
        for n in [0, 1, 2, 3, 4, 5, 16, 17] {
            let events: Vec<C::Event> = (0..n).map(&event).collect();
            let trace = honest::<C>(&events);
            let outputs: Vec<Point> = events.iter().map(Execute::execute).collect();
            assert_eq!(trace.outputs, outputs);
            let height = trace.main.values.len() / C::WIDTH;
            assert_eq!(height, C::height(events.len()).unwrap());
            assert!(height.is_power_of_two() && height >= 16);
        }
    }
    run::<AddChip>(|k| AddEvent { p: multiple(k), q: multiple(k % 3) });
    run::<DoubleChip>(|k| DoubleEvent { p: multiple(k) });
    run::<ScalarMulChip>(|k| ScalarMulEvent { p: multiple(k), s: Scalar256::from(k) });
    run::<VerifyChip>(|k| VerifyEvent { a: multiple(k), s: Scalar256::from(k), e: order_minus(k) });
}
