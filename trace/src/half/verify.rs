//! VERIFY.

use alloc::vec::Vec;
use core::array;

use p3_field::{PrimeCharacteristicRing, PrimeField32};
use p3_matrix::dense::RowMajorMatrix;
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::generator::WINDOWS;
use septic_chips::half::HalfVerifyTable;
use septic_chips::half::verify::HalfVerifyCols;
use septic_curve::{AffinePoint, DEGREE, KoalaBear, Point, ProjectivePoint, Scalar, mul_batch, params};
use sha2::Sha256;

use super::chain::{ChainInput, ChainLayout, Group, TWO_OFFSETS, fits, run, with_inverses};
use super::integers::{HalfPair, scalar_bytes, windows};
use super::shown::ShownVerify;
use super::{Fill, HalfOperation, HalfTrace, Layout, Lookups, generator, of_lane, write_point};
use crate::{Claim, TraceError, VerifyEvent};
use septic_curve::lockstep::{Inverter, LANES, Wide, WidePoint};

/// VERIFY with half-size scalars.
#[derive(Clone, Copy, Debug, Default)]
pub struct HalfVerify;

const FIELDS: &[Field] = <HalfVerifyCols<u32> as ColumnSet<u32>>::FIELDS;
const CHAIN: ChainLayout = ChainLayout::new(FIELDS);
const S: usize = column(FIELDS, "s");
const OFFSET: usize = column(FIELDS, "offset");

impl HalfOperation for HalfVerify {
    type Event = VerifyEvent;
    type Table = HalfVerifyTable;

    fn execute(events: &[VerifyEvent]) -> Vec<Point> {
        super::execute::<Self>(events)
    }

    fn generate_claims(claims: &[Claim<VerifyEvent>]) -> Result<HalfTrace, TraceError> {
        super::generate::<Self>(claims)
    }

    fn instance_columns(claims: &[Claim<VerifyEvent>], height: usize) -> Vec<Vec<KoalaBear>> {
        super::instance_columns::<Self>(claims, height)
    }

    fn count_lookups(main: &RowMajorMatrix<KoalaBear>, lookups: &mut Lookups) {
        super::count_lookups::<Self>(main, lookups, |row, entries| {
            let second = row[OFFSET] == KoalaBear::ONE;
            for (w, digit) in row[S..][..WINDOWS].iter().enumerate() {
                let digit = u16::try_from(digit.as_canonical_u32()).expect("a window has 9 bits at most");
                entries[generator::entry(w, digit, second)] += 1;
            }
        });
    }
}

/// A lane's sums on their way to D.
struct Sums {
    entries: [WidePoint; WINDOWS],
    sum: WidePoint,
    y: WidePoint,
    run: Wide,
}

impl Sums {
    /// The entries of each lane's scalar.
    fn new(group: &mut Group<'_>, shown: &[ShownVerify; LANES]) -> Self {
        let table = generator::entries();
        let digits = shown.map(|shown| windows(&shown.s));
        let entries = array::from_fn(|w| {
            let entry = |lane: usize| table[generator::entry(w, digits[lane][w], group.offset[lane] == 1)];
            let entry = WidePoint::gather(entry);
            group.rows.write(column(FIELDS, "x_g") + DEGREE * w, &entry.x);
            group.rows.write(column(FIELDS, "y_g") + DEGREE * w, &entry.y);
            entry
        });
        Self { entries, sum: entries[0], y: entries[0], run: Wide::ZERO }
    }
}

impl Fill for HalfVerify {
    type Shown = ShownVerify;

    const LAYOUT: Layout = Layout::new(FIELDS);

    fn outputs(events: &[VerifyEvent]) -> Vec<Point> {
        let scalars: Vec<Scalar> = events.iter().map(|event| event.s.into()).collect();
        let operations: Vec<_> = events.iter().map(|event| (event.e, event.a)).collect();
        let sums: Vec<ProjectivePoint> = generator::multiples(&scalars)
            .into_iter()
            .zip(mul_batch(&operations))
            .map(|(multiple, d)| multiple + ProjectivePoint::from(d))
            .collect();
        ProjectivePoint::batch_to_points(&sums)
    }

    fn scalar(shown: &ShownVerify) -> Scalar {
        shown.e
    }

    fn write_instance(shown: &ShownVerify, row: &mut [KoalaBear]) {
        row[0] = KoalaBear::ONE;
        write_point(shown.a, &mut row[column(FIELDS, "x_a")..]);
        write_point(shown.r, &mut row[column(FIELDS, "x_r")..]);
        row[S..][..WINDOWS].copy_from_slice(&windows(&shown.s).map(KoalaBear::from_u16));
        let bytes = scalar_bytes(&shown.e).map(KoalaBear::from_u8);
        row[column(FIELDS, "e")..][..bytes.len()].copy_from_slice(&bytes);
    }

    fn fill(
        groups: &mut [Group<'_>],
        shown: &[ShownVerify],
        pairs: &[HalfPair],
        inverter: &mut Inverter,
    ) -> bool {
        let mut sums: Vec<Sums> = groups
            .iter_mut()
            .enumerate()
            .map(|(g, group)| Sums::new(group, &array::from_fn(|lane| *of_lane(shown, g, lane))))
            .collect();
        let mut results: Vec<WidePoint> =
            (0..groups.len()).map(|g| WidePoint::gather(|lane| of_lane(shown, g, lane).r)).collect();
        // Y = R + Q_j
        with_inverses(
            groups,
            &mut results,
            inverter,
            |group, r| group.select(&params::GENERATOR_OFFSETS).x - r.x,
            |group, r, inverse| {
                let q = group.select(&params::GENERATOR_OFFSETS);
                let lambda = (q.y - r.y).dot_mul(&inverse);
                group.rows.write(column(FIELDS, "lambda_y"), &lambda);
                group.multiply(&(q.x - r.x));
                *r = r.sum(&q, &lambda);
            },
        );
        for (sums, y) in sums.iter_mut().zip(results) {
            sums.y = y;
        }
        // X
        for w in 1..WINDOWS {
            with_inverses(
                groups,
                &mut sums,
                inverter,
                |_, sums| {
                    sums.run = sums.entries[w].x - sums.sum.x;
                    sums.run
                },
                |group, sums, inverse| {
                    let entry = &sums.entries[w];
                    let lambda = (entry.y - sums.sum.y).dot_mul(&inverse);
                    group.rows.write(column(FIELDS, "lambda_g") + DEGREE * (w - 1), &lambda);
                    group.store(&sums.run, column(FIELDS, "product_g") + w - 1);
                    sums.sum = sums.sum.sum(entry, &lambda);
                },
            );
        }
        // D = Y − X
        with_inverses(
            groups,
            &mut sums,
            inverter,
            |_, sums| {
                sums.run = sums.sum.x - sums.y.x;
                sums.run
            },
            |group, sums, inverse| {
                let lambda = (sums.sum.y + sums.y.y).dot_mul(&inverse);
                let x = lambda.dot_square() - sums.sum.x - sums.y.x;
                let y = sums.sum.y + lambda.dot_mul(&(x - sums.sum.x));
                group.rows.write(column(FIELDS, "lambda_d"), &lambda);
                group.store(&sums.run, column(FIELDS, "product_d"));
                group.rows.write(column(FIELDS, "x_d"), &x);
                group.rows.write(column(FIELDS, "y_d"), &y);
                sums.sum = WidePoint { x, y };
            },
        );
        let inputs: Vec<ChainInput> = sums
            .iter()
            .enumerate()
            .map(|(g, sums)| ChainInput {
                d: sums.sum,
                p: WidePoint::gather(|lane| AffinePoint::clone(&of_lane(shown, g, lane).a)),
                pairs: array::from_fn(|lane| *of_lane(pairs, g, lane)),
            })
            .collect();
        let zero = run(&CHAIN, TWO_OFFSETS, groups, &inputs, inverter);
        fits(groups, &zero)
    }

    fn hash(event: &VerifyEvent, hash: &mut Sha256) {
        super::hash_event(hash, event.a, &[event.s, event.e]);
    }
}
