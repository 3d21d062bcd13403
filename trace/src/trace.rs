//! Traces: what a generator returns, and what each chip's generator offers.

use alloc::vec::Vec;
use core::marker::PhantomData;

use p3_matrix::dense::RowMajorMatrix;
use septic_chips::Chip;
use septic_curve::{KoalaBear, Point};

use crate::{Claim, Execute, TraceError};

/// Base-2 logarithm of the least height of a trace: shorter ones are filled up with padding. A proof of fewer rows has
/// fewer bits of security.
pub const MIN_LOG_HEIGHT: usize = 4;

/// Base-2 logarithm of the greatest height of a trace: the largest two-adic subgroup of KoalaBear has 2^24 elements
/// and the evaluation domain is at least twice as large as the trace.
pub const MAX_LOG_HEIGHT: usize = 23;

/// Base-2 logarithm of the least height of a machine's table. One short table costs a batch bits of security: with fewer
/// rows the two opening points spoil the rate of its code. 204 queries prove 88 bits on 2^4 rows, 100 from 2^9 rows on.
pub const MIN_TABLE_LOG_HEIGHT: usize = 9;

/// A trace of chip `C`.
#[derive(Clone, Debug)]
pub struct Trace<C> {
    /// The cells: a power of two of rows × `C::WIDTH` columns.
    pub main: RowMajorMatrix<KoalaBear>,
    /// `C::NUM_PARAMETERS` parameters of the whole trace.
    pub parameters: Vec<KoalaBear>,
    /// The result of each event, read off the trace.
    pub outputs: Vec<Point>,
    /// Indices of the events that start from the second offset, increasing. Empty for chips without offsets, and
    /// almost always for the others.
    pub second_offsets: Vec<usize>,
    pub(crate) chip: PhantomData<C>,
}

/// A chip with a trace generator.
pub trait TraceChip: Chip {
    /// The events it executes.
    type Event: Execute;

    /// Whether events start from one of two offsets.
    const HAS_OFFSETS: bool;

    /// The event that fills unused blocks, with its result; `None` if padding is the all-zero row.
    fn padding() -> Option<Claim<Self::Event>>;

    /// The trace of a list of events: event i on rows `i·ROWS_PER_EVENT..`, padding after the last.
    ///
    /// The trace depends on the events alone, not on the number of threads.
    ///
    /// # Errors
    /// If a point is off the curve, the list is too long, or an event collides with both offsets.
    fn generate_trace(events: &[Self::Event]) -> Result<Trace<Self>, TraceError>;

    /// The instance columns that `claims` determine, `height` cells each, in the order of
    /// [`Chip::INSTANCE_COLUMNS`]. `second_offsets` as in [`Trace`].
    ///
    /// # Panics
    /// If `height` is less than [`Self::height`] asks, or an index in `second_offsets` is not below the number of
    /// claims.
    fn instance_columns(
        claims: &[Claim<Self::Event>],
        second_offsets: &[usize],
        height: usize,
    ) -> Vec<Vec<KoalaBear>>;

    /// The height of a trace of `events` events: a power of two, at least 2^[`MIN_LOG_HEIGHT`].
    ///
    /// # Errors
    /// If it exceeds 2^[`MAX_LOG_HEIGHT`].
    fn height(events: usize) -> Result<usize, TraceError> {
        height(events, Self::ROWS_PER_EVENT, MIN_LOG_HEIGHT)
    }
}

/// The height of a table of `rows` rows an event, for `events` events: a power of two, at least 2^`least_log_height`.
///
/// # Errors
/// If it exceeds 2^[`MAX_LOG_HEIGHT`].
pub fn height(events: usize, rows: usize, least_log_height: usize) -> Result<usize, TraceError> {
    events
        .max(1)
        .checked_mul(rows)
        .and_then(usize::checked_next_power_of_two)
        .map(|height| height.max(1 << least_log_height))
        .filter(|&height| height <= 1 << MAX_LOG_HEIGHT)
        .ok_or(TraceError::TooManyEvents { events, max_log_height: MAX_LOG_HEIGHT })
}

/// Checks that every point of every event is on the curve.
///
/// # Errors
/// [`TraceError::NotOnCurve`] for the first point that is not.
pub fn check_points<E: Execute>(events: &[E]) -> Result<(), TraceError> {
    for (event, e) in events.iter().enumerate() {
        for (field, point) in e.points() {
            if point.to_affine().is_some_and(|p| !p.is_on_curve()) {
                return Err(TraceError::NotOnCurve { event, field });
            }
        }
    }
    Ok(())
}
