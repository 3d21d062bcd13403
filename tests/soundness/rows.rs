//! The forger's generator of ADD and DOUBLE rows.
//!
//! As for blocks: a plan says what an honest prover would do, a forger changes a part of it, and the rest of the row
//! is filled honestly.

use septic_chips::add::AddCols;
use septic_chips::columns::ColumnSet;
use septic_chips::double::DoubleCols;
use septic_chips::params::Septic;
use septic_chips::{AddChip, Chip, DoubleChip};
use septic_curve::p3_field::{Field, PrimeCharacteristicRing};
use septic_curve::{AffinePoint, Fp7, KoalaBear, Point};
use septic_trace::{AddEvent, DoubleEvent, TraceChip};

use crate::curves::Curve;
use crate::judge::{Verdict, failures, labels_of, trace_of};
use crate::support::{Coordinates, multiple};

/// Rows of the shortest trace.
const HEIGHT: usize = 16;

/// How an ADD row is to be filled.
#[derive(Clone, Debug)]
pub(crate) struct AddPlan {
    pub(crate) p: Coordinates,
    pub(crate) q: Coordinates,
    pub(crate) is_real: KoalaBear,
    pub(crate) p_identity: KoalaBear,
    pub(crate) q_identity: KoalaBear,
    pub(crate) opposite: KoalaBear,
    pub(crate) lambda: Option<Fp7>,
    pub(crate) x_r: Option<Fp7>,
    pub(crate) y_r: Option<Fp7>,
}

impl AddPlan {
    /// What an honest prover does for P + Q.
    pub(crate) fn new(p: Point, q: Point) -> Self {
        let opposite = match (p, q) {
            (Point::Identity, Point::Identity) => KoalaBear::NEG_ONE,
            (Point::Affine(p), Point::Affine(q)) => KoalaBear::from_bool(p == -q),
            _ => KoalaBear::ZERO,
        };
        Self {
            p_identity: KoalaBear::from_bool(p.is_identity()),
            q_identity: KoalaBear::from_bool(q.is_identity()),
            opposite,
            ..Self::generic(p.into(), q.into())
        }
    }

    /// The sum of two finite points by their line, be they points or not.
    pub(crate) fn generic(p: Coordinates, q: Coordinates) -> Self {
        Self {
            p,
            q,
            is_real: KoalaBear::ONE,
            p_identity: KoalaBear::ZERO,
            q_identity: KoalaBear::ZERO,
            opposite: KoalaBear::ZERO,
            lambda: None,
            x_r: None,
            y_r: None,
        }
    }

    pub(crate) fn row(&self) -> AddCols<KoalaBear> {
        let Self { p, q, is_real, p_identity, q_identity, opposite, .. } = *self;
        let generic = is_real - p_identity - q_identity - opposite;
        let lambda = self.lambda.unwrap_or_else(|| {
            if generic.is_zero() {
                Fp7::ZERO
            } else if p == q {
                (p.x.dot_square().tripled() + Septic::a()).dot_mul(&p.y.doubled().inv0())
            } else {
                (q.y - p.y).dot_mul(&(q.x - p.x).inv0())
            }
        });
        let choose = |from_line: Fp7, p: Fp7, q: Fp7| {
            if !p_identity.is_zero() {
                q
            } else if !q_identity.is_zero() {
                p
            } else if opposite.is_zero() {
                from_line
            } else {
                Fp7::ZERO
            }
        };
        let x_r = self.x_r.unwrap_or_else(|| choose(lambda.dot_square() - p.x - q.x, p.x, q.x));
        let y_r = self.y_r.unwrap_or_else(|| choose(lambda.dot_mul(&(p.x - x_r)) - p.y, p.y, q.y));
        AddCols {
            x_p: p.x,
            y_p: p.y,
            x_q: q.x,
            y_q: q.y,
            x_r,
            y_r,
            lambda,
            is_real,
            p_identity,
            q_identity,
            opposite,
        }
    }
}

/// How a DOUBLE row is to be filled.
#[derive(Clone, Debug)]
pub(crate) struct DoublePlan {
    pub(crate) p: Coordinates,
    pub(crate) is_real: KoalaBear,
    pub(crate) p_identity: KoalaBear,
    pub(crate) lambda: Option<Fp7>,
    pub(crate) x_r: Option<Fp7>,
    pub(crate) y_r: Option<Fp7>,
}

impl DoublePlan {
    /// What an honest prover does for 2P.
    pub(crate) fn new(p: Point) -> Self {
        Self { p_identity: KoalaBear::from_bool(p.is_identity()), ..Self::generic(p.into()) }
    }

    /// The double of a finite point by its tangent, be it a point or not.
    pub(crate) fn generic(p: Coordinates) -> Self {
        Self { p, is_real: KoalaBear::ONE, p_identity: KoalaBear::ZERO, lambda: None, x_r: None, y_r: None }
    }

    pub(crate) fn row(&self) -> DoubleCols<KoalaBear> {
        let Self { p, is_real, p_identity, .. } = *self;
        let lambda = self.lambda.unwrap_or_else(|| {
            let numerator = p.x.dot_square().tripled() + Septic::a().scale(&(is_real - p_identity));
            numerator.dot_mul(&p.y.doubled().inv0())
        });
        let x_r = self.x_r.unwrap_or_else(|| lambda.dot_square() - p.x.doubled());
        let y_r = self.y_r.unwrap_or_else(|| lambda.dot_mul(&(p.x - x_r)) - p.y);
        DoubleCols { x_p: p.x, y_p: p.y, x_r, y_r, lambda, is_real, p_identity }
    }
}

/// The point that coordinates stand for in these chips; `None` if they stand for none.
pub(crate) fn decode(x: Fp7, y: Fp7) -> Option<Point> {
    if x.is_zero() && y.is_zero() {
        Some(Point::Identity)
    } else {
        AffinePoint::new(x, y).ok().map(Point::from)
    }
}

/// Whether a row says something true. Any non-zero `is_real` counts as a claim.
pub(crate) fn add_statement_holds(row: &AddCols<KoalaBear>) -> bool {
    let sum = || {
        let (p, q) = (decode(row.x_p, row.y_p)?, decode(row.x_q, row.y_q)?);
        Some(decode(row.x_r, row.y_r)? == p + q)
    };
    row.is_real.is_zero() || sum() == Some(true)
}

/// Whether a row says something true. Any non-zero `is_real` counts as a claim.
pub(crate) fn double_statement_holds(row: &DoubleCols<KoalaBear>) -> bool {
    let double = || Some(decode(row.x_r, row.y_r)? == decode(row.x_p, row.y_p)?.double());
    row.is_real.is_zero() || double() == Some(true)
}

pub(crate) fn cells<R: ColumnSet<KoalaBear>>(row: &R) -> Vec<KoalaBear> {
    let mut cells = vec![KoalaBear::ZERO; R::WIDTH];
    row.write_to(&mut cells);
    cells
}

/// A row alone on the first and on the last row of a trace, before an honest row and after one; the trace's own
/// checker is asked besides.
fn judge<C: TraceChip>(row: &[KoalaBear], event: C::Event, statement_holds: bool) -> Verdict {
    let honest = C::generate_trace(&[event]).unwrap().main.values;
    let honest = &honest[..C::WIDTH];
    let full = |rows: &[&[KoalaBear]], last: bool| {
        let mut cells = rows.concat();
        let padding = vec![KoalaBear::ZERO; HEIGHT * C::WIDTH - cells.len()];
        if last {
            [padding, cells].concat()
        } else {
            cells.extend(padding);
            cells
        }
    };
    let judged = |cells: Vec<KoalaBear>| {
        let violated = labels_of(&failures::<C>(&cells, &[]));
        let found = trace_of::<C>(cells, &[event], &[]).violations();
        assert_eq!(
            found.into_iter().map(|violation| violation.label).collect::<std::collections::BTreeSet<_>>(),
            violated
        );
        violated
    };
    assert_eq!(judged(full(&[row], true)), judged(full(&[row], false)));
    let violated = [full(&[row], false), full(&[row, honest], false), full(&[honest, row], true)].map(judged);
    Verdict { violated, statement_holds }
}

pub(crate) fn judge_add(plan: &AddPlan) -> Verdict {
    let row = plan.row();
    let event = AddEvent { p: multiple(3), q: multiple(5) };
    judge::<AddChip>(&cells(&row), event, add_statement_holds(&row))
}

pub(crate) fn judge_double(plan: &DoublePlan) -> Verdict {
    let row = plan.row();
    judge::<DoubleChip>(&cells(&row), DoubleEvent { p: multiple(3) }, double_statement_holds(&row))
}

/// The plans of all honest cases give the generator's rows.
#[test]
fn honest_rows_are_the_generators() {
    let (p, q) = (multiple(3), multiple(-7));
    let points = [Point::Identity, p, -p, q, q.double(), Point::Identity];
    let events: Vec<AddEvent> =
        points.iter().flat_map(|&p| points.iter().map(move |&q| AddEvent { p, q })).collect();
    let trace = AddChip::generate_trace(&events).unwrap();
    for (event, row) in events.iter().zip(trace.main.values.chunks(AddChip::<Septic>::WIDTH)) {
        let plan = AddPlan::new(event.p, event.q).row();
        assert_eq!(cells(&plan), row, "{event:?}");
        assert!(add_statement_holds(&plan));
    }
    let events = points.map(|p| DoubleEvent { p });
    let trace = DoubleChip::generate_trace(&events).unwrap();
    for (event, row) in events.iter().zip(trace.main.values.chunks(DoubleChip::<Septic>::WIDTH)) {
        let plan = DoublePlan::new(event.p).row();
        assert_eq!(cells(&plan), row, "{event:?}");
        assert!(double_statement_holds(&plan));
    }
}
