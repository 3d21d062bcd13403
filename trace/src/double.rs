//! Traces of DOUBLE.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_chips::columns::ColumnSet;
use septic_chips::double::DoubleCols;
use septic_chips::{Chip, DoubleChip};
use septic_curve::{Fp7, KoalaBear, Point, batch_inverse, params};

use crate::instance::{flag_column, point_columns, point_or_identity};
use crate::trace::check_points;
use crate::{Claim, DoubleEvent, Trace, TraceChip, TraceError};

/// Events that share one inversion, and the grain of parallel work.
const CHUNK: usize = 256;

impl TraceChip for DoubleChip {
    type Event = DoubleEvent;

    fn padding() -> Option<Claim<DoubleEvent>> {
        None
    }

    #[tracing::instrument(name = "DOUBLE trace", skip_all)]
    fn generate_trace(events: &[DoubleEvent]) -> Result<Trace<Self>, TraceError> {
        check_points(events)?;
        let width = <Self as Chip>::WIDTH;
        let mut cells = vec![KoalaBear::ZERO; Self::height(events.len())? * width];
        let mut outputs = vec![Point::Identity; events.len()];
        cells
            .par_chunks_mut(CHUNK * width)
            .zip(outputs.par_chunks_mut(CHUNK))
            .zip(events.par_chunks(CHUNK))
            .for_each(|((cells, outputs), events)| {
                // 1/(2y); 0 for the identity.
                let mut inverses: Vec<Fp7> =
                    events.iter().map(|e| e.p.to_affine().map_or(Fp7::ZERO, |p| p.y().doubled())).collect();
                batch_inverse(&mut inverses);
                for ((row, out), (event, inverse)) in
                    cells.chunks_exact_mut(width).zip(outputs).zip(events.iter().zip(inverses))
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
        claims: &[Claim<DoubleEvent>],
        _second_offsets: &[usize],
        height: usize,
    ) -> Vec<Vec<KoalaBear>> {
        let mut columns = point_columns(claims.iter().map(|c| c.event.p), height);
        columns.extend(point_columns(claims.iter().map(|c| c.out), height));
        columns.push(flag_column(claims.len(), height));
        columns
    }
}

/// Writes one row, given 1/(2y_p) (0 for the identity), and returns the double.
fn fill_row(event: &DoubleEvent, inverse: Fp7, row: &mut [KoalaBear]) -> Point {
    let mut cols = DoubleCols::from_fn(|_| KoalaBear::ZERO);
    cols.is_real = KoalaBear::ONE;
    match event.p {
        Point::Identity => cols.p_identity = KoalaBear::ONE,
        Point::Affine(p) => {
            (cols.x_p, cols.y_p) = (p.x(), p.y());
            let numerator = p.x().dot_square().tripled() + Fp7::from_base(KoalaBear::new(params::CURVE_A));
            cols.lambda = numerator.dot_mul(&inverse);
            cols.x_r = cols.lambda.dot_square() - p.x().doubled();
            cols.y_r = cols.lambda.dot_mul(&(p.x() - cols.x_r)) - p.y();
        }
    }
    cols.write_to(row);
    point_or_identity(cols.x_r, cols.y_r)
}
