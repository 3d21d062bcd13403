//! Traces of ADD.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_chips::add::AddCols;
use septic_chips::columns::ColumnSet;
use septic_chips::{AddChip, Chip};
use septic_curve::{Fp7, KoalaBear, Point, batch_inverse, params};

use crate::instance::{flag_column, point_columns};
use crate::trace::check_points;
use crate::{AddEvent, Claim, Trace, TraceChip, TraceError};

/// Events that share one inversion, and the grain of parallel work.
const CHUNK: usize = 256;

impl TraceChip for AddChip {
    type Event = AddEvent;

    fn padding() -> Option<Claim<AddEvent>> {
        None
    }

    #[tracing::instrument(name = "ADD trace", skip_all)]
    fn generate_trace(events: &[AddEvent]) -> Result<Trace<Self>, TraceError> {
        check_points(events)?;
        let width = <Self as Chip>::WIDTH;
        let mut cells = vec![KoalaBear::ZERO; Self::height(events.len())? * width];
        let mut outputs = vec![Point::Identity; events.len()];
        cells
            .par_chunks_mut(CHUNK * width)
            .zip(outputs.par_chunks_mut(CHUNK))
            .zip(events.par_chunks(CHUNK))
            .for_each(|((cells, outputs), events)| {
                let mut lambdas: Vec<Fp7> = events.iter().map(denominator).collect();
                batch_inverse(&mut lambdas);
                for ((row, out), (event, inverse)) in
                    cells.chunks_exact_mut(width).zip(outputs).zip(events.iter().zip(lambdas))
                {
                    *out = fill_row(event, inverse, row);
                }
            });
        Ok(Trace {
            main: RowMajorMatrix::new(cells, width),
            parameters: Vec::new(),
            outputs,
            second_offsets: Vec::new(),
            chip: PhantomData,
        })
    }

    fn instance_columns(
        claims: &[Claim<AddEvent>],
        _second_offsets: &[usize],
        height: usize,
    ) -> Vec<Vec<KoalaBear>> {
        let mut columns = point_columns(claims.iter().map(|c| c.event.p), height);
        columns.extend(point_columns(claims.iter().map(|c| c.event.q), height));
        columns.extend(point_columns(claims.iter().map(|c| c.out), height));
        columns.push(flag_column(claims.len(), height));
        columns
    }
}

/// The denominator of the slope; 0 where no slope is needed.
fn denominator(event: &AddEvent) -> Fp7 {
    match (event.p, event.q) {
        (Point::Affine(p), Point::Affine(q)) if p == q => p.y().doubled(),
        (Point::Affine(p), Point::Affine(q)) => q.x() - p.x(),
        _ => Fp7::ZERO,
    }
}

/// Writes one row, given the inverse of [`denominator`] (0 for 0), and returns the sum.
fn fill_row(event: &AddEvent, inverse: Fp7, row: &mut [KoalaBear]) -> Point {
    let mut cols = AddCols::from_fn(|_| KoalaBear::ZERO);
    cols.is_real = KoalaBear::ONE;
    if let Point::Affine(p) = event.p {
        (cols.x_p, cols.y_p) = (p.x(), p.y());
    }
    if let Point::Affine(q) = event.q {
        (cols.x_q, cols.y_q) = (q.x(), q.y());
    }
    match (event.p, event.q) {
        (Point::Identity, Point::Identity) => {
            cols.p_identity = KoalaBear::ONE;
            cols.q_identity = KoalaBear::ONE;
            cols.opposite = KoalaBear::NEG_ONE;
        }
        (Point::Identity, Point::Affine(_)) => {
            cols.p_identity = KoalaBear::ONE;
            (cols.x_r, cols.y_r) = (cols.x_q, cols.y_q);
        }
        (Point::Affine(_), Point::Identity) => {
            cols.q_identity = KoalaBear::ONE;
            (cols.x_r, cols.y_r) = (cols.x_p, cols.y_p);
        }
        (Point::Affine(p), Point::Affine(q)) if p == -q => cols.opposite = KoalaBear::ONE,
        (Point::Affine(p), Point::Affine(q)) => {
            let numerator = if p == q {
                p.x().dot_square().tripled() + Fp7::from_base(KoalaBear::new(params::CURVE_A))
            } else {
                q.y() - p.y()
            };
            cols.lambda = numerator.dot_mul(&inverse);
            cols.x_r = cols.lambda.dot_square() - p.x() - q.x();
            cols.y_r = cols.lambda.dot_mul(&(p.x() - cols.x_r)) - p.y();
        }
    }
    cols.write_to(row);
    crate::instance::point_or_identity(cols.x_r, cols.y_r)
}
