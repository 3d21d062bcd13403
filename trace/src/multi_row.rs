//! What the generators of SCALAR_MUL and VERIFY share.

use alloc::vec;
use alloc::vec::Vec;
use core::marker::PhantomData;

use p3_field::PrimeCharacteristicRing;
use p3_matrix::dense::RowMajorMatrix;
use p3_maybe_rayon::prelude::*;
use septic_chips::ladder::ROWS;
use septic_curve::{AffinePoint, KoalaBear, Point};

use crate::instance::ladder_columns;
use crate::ladder::{EvaluationPoints, Filled, Offset, Plan, fill, finish_witnesses, instance};
use crate::trace::check_points;
use crate::{Claim, Trace, TraceChip, TraceError};

/// A chip whose events go down the ladder.
pub(crate) trait MultiRow: TraceChip {
    /// The chip's C_j.
    const CORRECTION_POINTS: [AffinePoint; 2];
    /// The event of unused blocks; its result is the identity, from the first offset.
    const PADDING: Self::Event;

    fn plan(event: &Self::Event) -> Plan;
}

/// The trace of `events`, of at least `least` rows.
pub(crate) fn generate<C: MultiRow>(
    events: &[C::Event],
    width: usize,
    least: usize,
) -> Result<Trace<C>, TraceError> {
    check_points(events)?;
    let height = C::height(events.len())?.max(least);
    let mut cells = vec![KoalaBear::ZERO; height * width];
    let plans: Vec<Plan> = events.par_iter().map(C::plan).collect();
    let points = EvaluationPoints::new(&plans);
    let t = points.get(0);
    let (used, unused) = cells.split_at_mut(events.len() * ROWS * width);
    let Filled { outputs, second_offsets, stuck } = fill(&plans, &C::CORRECTION_POINTS, width, t, used);
    if let Some(&event) = stuck.first() {
        return Err(TraceError::NoOffset { event });
    }
    if !unused.is_empty() {
        let mut block = vec![KoalaBear::ZERO; ROWS * width];
        fill(&[C::plan(&C::PADDING)], &C::CORRECTION_POINTS, width, t, &mut block);
        unused.par_chunks_exact_mut(ROWS * width).for_each(|unused| unused.copy_from_slice(&block));
    }
    let parameters = if C::NUM_PARAMETERS == 0 {
        Vec::new()
    } else {
        vec![finish_witnesses(&points, width, &mut cells).ok_or(TraceError::NoEvaluationPoint)?]
    };
    Ok(Trace {
        main: RowMajorMatrix::new(cells, width),
        parameters,
        outputs,
        second_offsets,
        chip: PhantomData,
    })
}

/// The instance columns of `claims`.
pub(crate) fn instance_columns<C: MultiRow>(
    claims: &[Claim<C::Event>],
    second_offsets: &[usize],
    height: usize,
) -> Vec<Vec<KoalaBear>> {
    let mut second = vec![false; claims.len()];
    for &i in second_offsets {
        second[i] = true;
    }
    let blocks = claims.iter().zip(second).map(|(claim, second)| {
        let correction = Offset::new(second, &C::CORRECTION_POINTS).correction;
        instance(&C::plan(&claim.event), claim.out, correction)
    });
    let first = Offset::new(false, &C::CORRECTION_POINTS).correction;
    let padding = instance(&C::plan(&C::PADDING), Point::Identity, first);
    ladder_columns(blocks, padding, height)
}
