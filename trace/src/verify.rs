//! Traces of VERIFY.

use alloc::vec::Vec;

use septic_chips::{Chip, VerifyChip};
use septic_curve::{AffinePoint, KoalaBear, Point, Scalar256, params};

use crate::ladder::Plan;
use crate::multi_row::{MultiRow, generate, instance_columns};
use crate::{Claim, Trace, TraceChip, TraceError, VerifyEvent};

impl MultiRow for VerifyChip {
    const CORRECTION_POINTS: [AffinePoint; 2] = params::VERIFY_CORRECTIONS;
    const PADDING: VerifyEvent = VerifyEvent { a: Point::GENERATOR, s: Scalar256::ZERO, e: Scalar256::ZERO };

    fn plan(event: &VerifyEvent) -> Plan {
        Plan::new(event.a, event.e, Some(event.s))
    }
}

impl TraceChip for VerifyChip {
    type Event = VerifyEvent;

    const HAS_OFFSETS: bool = true;

    fn padding() -> Option<Claim<VerifyEvent>> {
        Some(Claim { event: <Self as MultiRow>::PADDING, out: Point::Identity })
    }

    #[tracing::instrument(name = "VERIFY trace", skip_all)]
    fn generate_trace(events: &[VerifyEvent]) -> Result<Trace<Self>, TraceError> {
        generate::<Self>(events, <Self as Chip>::WIDTH, 0)
    }

    fn instance_columns(
        claims: &[Claim<VerifyEvent>],
        second_offsets: &[usize],
        height: usize,
    ) -> Vec<Vec<KoalaBear>> {
        instance_columns::<Self>(claims, second_offsets, height)
    }
}
