//! Errors of trace generation.

use thiserror::Error;

/// Why a list of events has no trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TraceError {
    /// A point of an event is not on the curve.
    #[error("event {event}: {field}: the point is not on the curve")]
    NotOnCurve {
        /// Index of the event in the list.
        event: usize,
        /// The event's field that holds the point.
        field: &'static str,
    },
    /// The list needs more rows than a trace can have.
    #[error("{events} events need more than 2^{max_log_height} rows")]
    TooManyEvents {
        /// Length of the list.
        events: usize,
        /// Base-2 logarithm of the greatest height.
        max_log_height: usize,
    },
    /// An event collides with every offset. Whoever finds one knows a discrete logarithm that nobody should know.
    #[error("event {event}: the accumulator meets an exceptional case from every offset")]
    NoOffset {
        /// Index of the event in the list.
        event: usize,
    },
    /// The result that was given with an event is not the event's.
    #[error("event {event}: the result is wrong")]
    WrongResult {
        /// Index of the event in the list.
        event: usize,
    },
    /// No evaluation point of the non-zero test fits all rows.
    #[error("no evaluation point fits all rows")]
    NoEvaluationPoint,
}
