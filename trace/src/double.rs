//! Traces of DOUBLE.

use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use septic_chips::DoubleChip;
use septic_chips::columns::ColumnSet;
use septic_chips::double::DoubleCols;
use septic_curve::{Fp7, KoalaBear, Point, params};

use crate::instance::{flag_column, point_columns, point_or_identity};
use crate::one_row::{OneRow, generate};
use crate::{Claim, DoubleEvent, Trace, TraceChip, TraceError};

impl TraceChip for DoubleChip {
    type Event = DoubleEvent;

    const HAS_OFFSETS: bool = false;

    fn padding() -> Option<Claim<DoubleEvent>> {
        None
    }

    #[tracing::instrument(name = "DOUBLE trace", skip_all)]
    fn generate_trace(events: &[DoubleEvent]) -> Result<Trace<Self>, TraceError> {
        generate(events)
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

impl OneRow for DoubleChip {
    fn denominator(event: &DoubleEvent) -> Fp7 {
        event.p.to_affine().map_or(Fp7::ZERO, |p| p.y().doubled())
    }

    fn fill_row(event: &DoubleEvent, inverse: Fp7, row: &mut [KoalaBear]) -> Point {
        let mut cols = DoubleCols::from_fn(|_| KoalaBear::ZERO);
        cols.is_real = KoalaBear::ONE;
        match event.p {
            Point::Identity => cols.p_identity = KoalaBear::ONE,
            Point::Affine(p) => {
                (cols.x_p, cols.y_p) = (p.x(), p.y());
                let numerator =
                    p.x().dot_square().tripled() + Fp7::from_base(KoalaBear::new(params::CURVE_A));
                cols.lambda = numerator.dot_mul(&inverse);
                cols.x_r = cols.lambda.dot_square() - p.x().doubled();
                cols.y_r = cols.lambda.dot_mul(&(p.x() - cols.x_r)) - p.y();
            }
        }
        cols.write_to(row);
        point_or_identity(cols.x_r, cols.y_r)
    }
}
