//! Traces depend on the events alone; native execution, traces and the row checker agree.
#![cfg(feature = "parallel")]
#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]
#![allow(clippy::print_stdout, reason = "counts, shown with --nocapture")]

use std::fmt::Debug;

use rayon::ThreadPoolBuilder;
use septic_air::chips::columns::{ColumnSet, column};
use septic_air::chips::verify::VerifyCols;
use septic_air::curve::{Point, Scalar256, mul_batch, params};
use septic_air::trace::Trace;
use septic_air::{
    AddChip, AddEvent, Claim, ConfigName, DoubleChip, DoubleEvent, Event, Layout, Machine, Operation, Record,
    ScalarMulChip, ScalarMulEvent, TraceChip, VerifyChip, VerifyEvent,
};

/// Numbers of threads; more than there are cores, and one that divides no chunk.
const THREADS: [usize; 4] = [1, 2, 3, 8];

/// Events of each operation in the mixed list.
const EACH: usize = 2_500;

/// Events that are executed and checked at a time.
const LIST: usize = 1_000;

/// A fixed sequence of numbers that look random (splitmix64).
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: u64) -> u64 {
        self.next() % bound
    }

    /// Mostly any 256-bit integer; often small, near a multiple of the order, or near 2²⁵⁶.
    fn scalar(&mut self) -> Scalar256 {
        let small = self.below(4).into();
        match self.below(16) {
            0 | 1 => Scalar256::from(small),
            2 => Scalar256::from(params::ORDER.wrapping_add(&small)),
            3 => Scalar256::from(params::ORDER.wrapping_sub(&small)),
            4 => Scalar256::from(params::ORDER.wrapping_add(&params::ORDER).wrapping_sub(&small)),
            5 => Scalar256::from(Scalar256::MAX.to_uint().wrapping_sub(&small)),
            6 => Scalar256::from(self.next()),
            _ => Scalar256::from_le_limbs([(); 8].map(|()| u32::try_from(self.next() >> 32).unwrap())),
        }
    }
}

/// Random events, with the exceptional cases among them.
struct Source {
    numbers: Numbers,
    points: Vec<Point>,
}

impl Source {
    fn new(seed: u64) -> Self {
        let mut numbers = Numbers(seed);
        let operations: Vec<_> = (0..1_000).map(|_| (numbers.scalar(), Point::GENERATOR)).collect();
        Self { numbers, points: mul_batch(&operations) }
    }

    fn point(&mut self) -> Point {
        let small = 1 + self.numbers.below(3);
        let small = Point::GENERATOR.mul_vartime(&Scalar256::from(small));
        match self.numbers.below(20) {
            0 => Point::Identity,
            1 => small,
            2 => -small,
            3 => Point::Affine(params::OFFSETS[usize::try_from(self.numbers.below(2)).unwrap()]),
            // Sums of two of many points: hardly one occurs twice.
            _ => {
                let mut any =
                    || self.points[usize::try_from(self.numbers.below(self.points.len() as u64)).unwrap()];
                any() + any()
            }
        }
    }
}

/// An event that a source makes.
trait Sample: Sized {
    fn sample(source: &mut Source) -> Self;

    fn samples(count: usize, seed: u64) -> Vec<Self> {
        let mut source = Source::new(seed);
        (0..count).map(|_| Self::sample(&mut source)).collect()
    }
}

impl Sample for AddEvent {
    fn sample(source: &mut Source) -> Self {
        let p = source.point();
        let q = match source.numbers.below(8) {
            0 => p,
            1 => -p,
            _ => source.point(),
        };
        Self { p, q }
    }
}

impl Sample for DoubleEvent {
    fn sample(source: &mut Source) -> Self {
        Self { p: source.point() }
    }
}

impl Sample for ScalarMulEvent {
    fn sample(source: &mut Source) -> Self {
        Self { p: source.point(), s: source.numbers.scalar() }
    }
}

impl Sample for VerifyEvent {
    fn sample(source: &mut Source) -> Self {
        Self { a: source.point(), s: source.numbers.scalar(), e: source.numbers.scalar() }
    }
}

/// The trace of `events` made by a number of threads.
fn trace_by<C: TraceChip>(threads: usize, events: &[C::Event]) -> Trace<C> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| C::generate_trace(events)).unwrap()
}

fn assert_same<C: Debug>(a: &Trace<C>, b: &Trace<C>, what: &str) {
    assert_eq!(a.parameters, b.parameters, "{what}");
    assert_eq!(a.outputs, b.outputs, "{what}");
    assert_eq!(a.second_offsets, b.second_offsets, "{what}");
    // Not assert_eq: a message of millions of cells helps nobody.
    assert!(a.main == b.main, "{what}: cells differ");
}

/// Lists of each length: the same trace for every number of threads, made of the same blocks as each event's own but
/// for the column `of_the_list`, which depends on the whole list.
fn same_traces<C: TraceChip<Event: Sample>>(
    lengths: &[usize],
    of_the_list: Option<usize>,
    change: impl Fn(&mut [C::Event]),
) {
    let longest = lengths.iter().copied().max().unwrap();
    let mut events = C::Event::samples(longest, 7);
    change(&mut events);
    let alone: Vec<Trace<C>> = events.iter().map(|event| C::generate_trace(&[*event]).unwrap()).collect();
    let block = C::ROWS_PER_EVENT * C::WIDTH;
    for &n in lengths {
        let events = &events[..n];
        let reference = trace_by::<C>(1, events);
        for threads in THREADS {
            let what = format!("{} of {n} events, {threads} threads", C::OPERATION);
            assert_same(&trace_by::<C>(threads, events), &reference, &what);
        }
        for (i, alone) in alone[..n].iter().enumerate() {
            let what = format!("{} event {i} of {n}", C::OPERATION);
            assert_eq!(reference.outputs[i], alone.outputs[0], "{what}");
            assert_eq!(reference.second_offsets.contains(&i), alone.second_offsets == [0], "{what}");
            let (here, there) = (&reference.main.values[i * block..][..block], &alone.main.values[..block]);
            let same =
                here.iter().zip(there).enumerate().all(|(cell, (a, b))| {
                    a == b || of_the_list.is_some_and(|column| cell % C::WIDTH == column)
                });
            assert!(same, "{what}");
        }
    }
}

#[test]
fn row_chips_around_their_chunks() {
    let lengths = [0, 1, 2, 63, 64, 65, 255, 256, 257, 511, 512, 513];
    same_traces::<AddChip>(&lengths, None, |_| {});
    same_traces::<DoubleChip>(&lengths, None, |_| {});
}

#[test]
fn ladders_around_their_chunks() {
    // Events that start from the second offset, on both sides of a boundary.
    let p = Point::Affine(params::OFFSETS[0]);
    let lengths = [0, 1, 63, 64, 65, 128, 129, 256, 257];
    same_traces::<ScalarMulChip>(&lengths, None, |events| {
        events[62..66].fill(ScalarMulEvent { p, s: Scalar256::ZERO });
        assert_eq!(ScalarMulChip::generate_trace(&events[62..66]).unwrap().second_offsets, [0, 1, 2, 3]);
    });
    // The evaluation point, and with it the witnesses, come from a hash of all events.
    let witness = column(<VerifyCols<u32> as ColumnSet<u32>>::FIELDS, "witness");
    same_traces::<VerifyChip>(&lengths, Some(witness), |events| {
        events[62..66].fill(VerifyEvent { a: p, s: Scalar256::ONE, e: Scalar256::ZERO });
        assert_eq!(VerifyChip::generate_trace(&events[62..66]).unwrap().second_offsets, [0, 1, 2, 3]);
    });
}

/// Executes and checks the events of one operation in a list: every output, every constraint on every row, every cell
/// that the claims determine. Returns the number of events and of rows.
fn check<C: TraceChip>(list: &[Event], take: impl Fn(&Event) -> Option<C::Event>) -> (usize, usize) {
    let events: Vec<C::Event> = list.iter().filter_map(take).collect();
    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    let trace = C::generate_trace(&events).unwrap();
    for (i, (claim, out)) in claims.iter().zip(&trace.outputs).enumerate() {
        assert_eq!(claim.out, *out, "event {i}: {:?}", claim.event);
        assert!(out.to_affine().is_none_or(|out| out.is_on_curve()));
    }
    assert_eq!(trace.violations(), []);
    assert_eq!(trace.instance_violations(&claims), []);
    (events.len(), trace.main.values.len() / C::WIDTH)
}

/// All tables of the machine, in both layouts: the same for every number of threads, with the native results and without a
/// fault.
#[test]
fn machine_tables_do_not_depend_on_threads() {
    let mut events: Vec<Event> = Vec::new();
    events.extend(AddEvent::samples(70, 21).into_iter().map(Event::from));
    events.extend(DoubleEvent::samples(70, 22).into_iter().map(Event::from));
    events.extend(ScalarMulEvent::samples(200, 23).into_iter().map(Event::from));
    events.extend(VerifyEvent::samples(200, 24).into_iter().map(Event::from));
    let record = Record::new(&events);
    for &layout in Layout::ALL {
        let machine = Machine::new(ConfigName::Testing).with_layout(layout);
        let by = |threads: usize| {
            let pool = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| machine.traces(&record, &mut ())).unwrap()
        };
        let (reference, claims) = by(1);
        for claim in &claims {
            assert_eq!(claim.out, claim.event.execute(), "{:?}", claim.event);
        }
        assert_eq!(reference.faults(&claims), [], "{layout}");
        for threads in THREADS {
            let (traces, other) = by(threads);
            assert_eq!(other, claims);
            for ((kind, a), (_, b)) in traces.tables().zip(reference.tables()) {
                // Not assert_eq: a message of millions of cells helps nobody.
                assert!(a == b, "{kind}, {threads} threads: cells differ");
            }
            assert_eq!(traces.tables().count(), reference.tables().count());
        }
    }
}

#[test]
fn native_execution_traces_and_row_checker_agree() {
    let mut events: Vec<Event> = Vec::new();
    events.extend(AddEvent::samples(EACH, 11).into_iter().map(Event::from));
    events.extend(DoubleEvent::samples(EACH, 12).into_iter().map(Event::from));
    events.extend(ScalarMulEvent::samples(EACH, 13).into_iter().map(Event::from));
    events.extend(VerifyEvent::samples(EACH, 14).into_iter().map(Event::from));
    // Shuffled.
    let mut numbers = Numbers(15);
    for i in (1..events.len()).rev() {
        events.swap(i, usize::try_from(numbers.below(i as u64 + 1)).unwrap());
    }

    let mut events_of = [0; 4];
    let mut rows_of = [0; 4];
    for list in events.chunks(LIST) {
        let done = [
            check::<AddChip>(list, |e| if let Event::Add(e) = e { Some(*e) } else { None }),
            check::<DoubleChip>(list, |e| if let Event::Double(e) = e { Some(*e) } else { None }),
            check::<ScalarMulChip>(list, |e| if let Event::ScalarMul(e) = e { Some(*e) } else { None }),
            check::<VerifyChip>(list, |e| if let Event::Verify(e) = e { Some(*e) } else { None }),
        ];
        for (k, (events, rows)) in done.into_iter().enumerate() {
            events_of[k] += events;
            rows_of[k] += rows;
        }
    }
    assert_eq!(events_of, [EACH; 4]);
    for (operation, rows) in Operation::ALL.into_iter().zip(rows_of) {
        println!("{operation}: {EACH} events, {rows} rows checked");
    }
    // Exceptional cases occur.
    let outputs: Vec<Point> = events.iter().map(Event::execute).collect();
    assert!(outputs.iter().filter(|out| out.is_identity()).count() > EACH / 5);
    let adds = events.iter().filter(|e| matches!(e, Event::Add(e) if e.p == e.q && !e.p.is_identity()));
    assert!(adds.count() > EACH / 10);
}
