//! Errors of the cost model.

use thiserror::Error;

/// Why a cost could not be computed or drawn.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CostError {
    /// The trace of that many events would be too tall.
    #[error("{events} events need more than 2^{max_log_height} rows")]
    TooManyEvents {
        /// The number of events.
        events: usize,
        /// Base-2 logarithm of the greatest height.
        max_log_height: usize,
    },
    /// The chart could not be drawn.
    #[error("drawing the chart failed: {reason}")]
    Plot {
        /// What the drawing library said.
        reason: String,
    },
}
