//! What the generators of ADD and DOUBLE share.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_curve::{Fp7, KoalaBear, Point, batch_inverse};

use crate::trace::check_points;
use crate::{Trace, TraceChip, TraceError};

/// Events that share one inversion, and the grain of parallel work.
const CHUNK: usize = 256;

/// A chip whose events take one row each; padding is zero.
pub(crate) trait OneRow: TraceChip {
    /// The denominator of the event's slope; 0 where no slope is needed.
    fn denominator(event: &Self::Event) -> Fp7;

    /// Writes the event's row, given the inverse of its denominator (0 for 0), and returns the result.
    fn fill_row(event: &Self::Event, inverse: Fp7, row: &mut [KoalaBear]) -> Point;
}

/// The trace of `events`, with one inversion a chunk.
pub(crate) fn generate<C: OneRow>(events: &[C::Event]) -> Result<Trace<C>, TraceError> {
    check_points(events)?;
    let width = C::WIDTH;
    let mut cells = vec![KoalaBear::ZERO; C::height(events.len())? * width];
    let mut outputs = vec![Point::Identity; events.len()];
    cells
        .par_chunks_mut(CHUNK * width)
        .zip(outputs.par_chunks_mut(CHUNK))
        .zip(events.par_chunks(CHUNK))
        .for_each(|((cells, outputs), events)| {
            let mut inverses: Vec<Fp7> = events.iter().map(C::denominator).collect();
            batch_inverse(&mut inverses);
            let rows = cells.chunks_exact_mut(width).zip(outputs);
            for ((row, out), (event, inverse)) in rows.zip(events.iter().zip(inverses)) {
                *out = C::fill_row(event, inverse, row);
            }
            tracing::trace!(target: "septic_trace::progress", events = events.len());
        });
    Ok(Trace {
        main: RowMajorMatrix::new(cells, width),
        parameters: Vec::new(),
        outputs,
        second_offsets: Vec::new(),
        chip: PhantomData,
    })
}
