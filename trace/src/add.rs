//! Traces of ADD.

use alloc::vec::Vec;

use p3_field::PrimeCharacteristicRing;
use septic_chips::AddChip;
use septic_chips::add::AddCols;
use septic_chips::columns::ColumnSet;
use septic_curve::{Fp7, KoalaBear, Point, params};

use crate::instance::{flag_column, point_columns, point_or_identity};
use crate::one_row::{OneRow, generate};
use crate::{AddEvent, Claim, Trace, TraceChip, TraceError};

impl TraceChip for AddChip {
    type Event = AddEvent;

    const HAS_OFFSETS: bool = false;

    fn padding() -> Option<Claim<AddEvent>> {
        None
    }

    #[tracing::instrument(name = "ADD trace", skip_all)]
    fn generate_trace(events: &[AddEvent]) -> Result<Trace<Self>, TraceError> {
        generate(events)
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

impl OneRow for AddChip {
    fn denominator(event: &AddEvent) -> Fp7 {
        match (event.p, event.q) {
            (Point::Affine(p), Point::Affine(q)) if p == q => p.y().doubled(),
            (Point::Affine(p), Point::Affine(q)) => q.x() - p.x(),
            _ => Fp7::ZERO,
        }
    }

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
        point_or_identity(cols.x_r, cols.y_r)
    }
}
