//! Evaluation of constraints alone, as the quotient needs it: the rows of a table in the lanes of the packed field, the
//! constraints folded with powers of a challenge. One thread.
//!
//! `fused` multiplies in the extension by dot products, as the Plonky3 adapter does; `schoolbook` by the operators, as a
//! sink does that overrides nothing. Throughput is in rows: its inverse is the time of a row.

use std::hint::black_box;
use std::time::Duration;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use septic_air::chips::columns::ColumnSet;
use septic_air::chips::half::{HalfScalarMulTable, HalfVerifyTable};
use septic_air::chips::p3_field::{Algebra, Field, PackedValue, PrimeCharacteristicRing};
use septic_air::chips::sink::{ConstraintSink, Label};
use septic_air::chips::table::{ChipTable, Place, Table};
use septic_air::curve::{KoalaBear, Septic};
use septic_air::{AddChip, DoubleChip, VerifyChip};

type Lanes = <KoalaBear as Field>::Packing;

/// Coordinates of a challenge.
const CHALLENGE: usize = 4;

/// Rows of a table.
const ROWS: usize = 1 << 10;

/// Collects the constraints of a row in each lane.
struct Sink<const FUSED: bool>(Vec<Lanes>);

impl<const FUSED: bool> ConstraintSink for Sink<FUSED> {
    type Expr = Lanes;

    #[inline]
    fn constant(&self, c: u32) -> Lanes {
        KoalaBear::new(c).into()
    }

    #[inline]
    fn assert_zero(&mut self, _: Label, x: Lanes) {
        self.0.push(x);
    }

    #[inline]
    fn assert_septic(&mut self, _: Label, x: Septic<Lanes>) {
        self.0.extend(x.0);
    }

    #[inline]
    fn mul(&self, a: &Septic<Lanes>, b: &Septic<Lanes>) -> Septic<Lanes> {
        if FUSED { a.dot_mul(b) } else { *a * *b }
    }

    #[inline]
    fn square(&self, a: &Septic<Lanes>) -> Septic<Lanes> {
        if FUSED { a.dot_square() } else { a.squared() }
    }
}

/// Any numbers: time does not depend on them.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> KoalaBear {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        KoalaBear::from_u64(self.0 >> 33)
    }

    fn lanes(&mut self) -> Lanes {
        Lanes::from_fn(|_| self.next())
    }
}

/// A table's rows, and what else its constraints read.
struct Input<T: Table> {
    rows: Vec<Vec<Lanes>>,
    flags: T::Flags<Lanes>,
    place: Place<Lanes>,
    parameters: Vec<Lanes>,
    /// The powers of a challenge by coordinates, one for each constraint.
    powers: [Vec<KoalaBear>; CHALLENGE],
}

impl<T: Table> Input<T> {
    fn new() -> Self {
        let mut numbers = Numbers(1);
        let rows = (0..=ROWS / Lanes::WIDTH).map(|_| (0..T::WIDTH).map(|_| numbers.lanes()).collect());
        let mut input = Self {
            rows: rows.collect(),
            flags: T::Flags::from_fn(|_| numbers.lanes()),
            place: Place { is_first: numbers.lanes(), is_transition: numbers.lanes() },
            parameters: (0..T::NUM_PARAMETERS).map(|_| numbers.next().into()).collect(),
            powers: Default::default(),
        };
        let mut sink = Sink::<true>(Vec::new());
        input.row(0, &mut sink);
        input.powers = [(); CHALLENGE].map(|()| sink.0.iter().map(|_| numbers.next()).collect());
        input
    }

    fn row<const FUSED: bool>(&self, row: usize, sink: &mut Sink<FUSED>) {
        let cols = |row: usize| T::Cols::from_fn(|i| self.rows[row][i]);
        let local = cols(row);
        let next =
            if T::NEXT_ROW_COLUMNS.is_empty() { T::Cols::from_fn(|_| Lanes::ZERO) } else { cols(row + 1) };
        T::eval(sink, &local, &next, &self.flags, &self.place, &self.parameters);
    }

    /// The folded constraints of all rows, summed up.
    fn evaluate<const FUSED: bool>(&self) -> [Lanes; CHALLENGE] {
        let mut sum = [Lanes::ZERO; CHALLENGE];
        let mut sink = Sink::<FUSED>(Vec::with_capacity(self.powers[0].len()));
        for row in 0..ROWS / Lanes::WIDTH {
            sink.0.clear();
            self.row(row, &mut sink);
            for (sum, powers) in sum.iter_mut().zip(&self.powers) {
                *sum += Lanes::batched_linear_combination(&sink.0, powers);
            }
        }
        sum
    }
}

fn table<T: Table>(c: &mut Criterion) {
    let input = Input::<T>::new();
    assert_eq!(input.evaluate::<true>(), input.evaluate::<false>(), "both sinks evaluate the same");
    let mut group = c.benchmark_group(format!("quotient/{}", T::NAME));
    group.throughput(Throughput::Elements(ROWS as u64));
    group.bench_function("fused", |bench| bench.iter(|| black_box(&input).evaluate::<true>()));
    group.bench_function("schoolbook", |bench| bench.iter(|| black_box(&input).evaluate::<false>()));
    group.finish();
}

criterion_group! {
    name = benches;
    config = Criterion::default()
        .sample_size(10)
        .measurement_time(Duration::from_secs(1))
        .warm_up_time(Duration::from_millis(200));
    targets =
        table::<ChipTable<AddChip>>,
        table::<ChipTable<DoubleChip>>,
        table::<ChipTable<VerifyChip>>,
        table::<HalfScalarMulTable>,
        table::<HalfVerifyTable>
}
criterion_main!(benches);
