//! Traces of SCALAR_MUL.

use alloc::vec::Vec;

use septic_chips::{Chip, ScalarMulChip};
use septic_curve::{AffinePoint, KoalaBear, Point, Scalar256, params};

use crate::ladder::Plan;
use crate::multi_row::{MultiRow, generate, instance_columns};
use crate::{Claim, ScalarMulEvent, Trace, TraceChip, TraceError};

impl MultiRow for ScalarMulChip {
    const CORRECTION_POINTS: [AffinePoint; 2] = params::SCALAR_MUL_CORRECTIONS;
    const PADDING: ScalarMulEvent = ScalarMulEvent { p: Point::GENERATOR, s: Scalar256::ZERO };

    fn plan(event: &ScalarMulEvent) -> Plan {
        Plan::new(event.p, event.s, None)
    }
}

impl TraceChip for ScalarMulChip {
    type Event = ScalarMulEvent;

    const HAS_OFFSETS: bool = true;

    fn padding() -> Option<Claim<ScalarMulEvent>> {
        Some(Claim { event: <Self as MultiRow>::PADDING, out: Point::Identity })
    }

    #[tracing::instrument(name = "SCALAR_MUL trace", skip_all)]
    fn generate_trace(events: &[ScalarMulEvent]) -> Result<Trace<Self>, TraceError> {
        generate::<Self>(events, <Self as Chip>::WIDTH, 0)
    }

    fn instance_columns(
        claims: &[Claim<ScalarMulEvent>],
        second_offsets: &[usize],
        height: usize,
    ) -> Vec<Vec<KoalaBear>> {
        instance_columns::<Self>(claims, second_offsets, height)
    }
}
