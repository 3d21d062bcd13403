//! Faults that other elliptic-curve circuits had, class by class: a forged trace that is rejected, or an input that is
//! provable.
//!
//! | no. | class | tested |
//! |-----|-------|--------|
//! | 1–30 | as the tests' names say | here |
//! | 2, 4 | every coordinate of every septic equation | `coordinates` besides |
//! | 6 | all flags in all combinations | `decisions` besides |
//! | 12, 13, 14, 16 | thousands of events | `completeness` besides |
//! | 7, 21 | the same with proofs | `prover/tests/proofs` |
//! | 19 | Schnorr signatures | `curve/tests/suite/schnorr.rs` |
//! | 20, 22 | decoding and field arithmetic at large | `curve/tests/suite` |
//! | 23 | forged traces proven in builds without debug assertions | `prover/tests/forged` |
//! | 24, 26, 27 | degrees, columns read on the next row, counts, all from symbolic constraints | `tests/layout.rs` |
//! | 28, 29 | configurations and bytes at large | `prover/tests/config.rs`, `tests/cli` |
//! | 30 | vectors of an independent oracle | `curve/tests/suite/vectors.rs`, `trace/tests/vectors.rs` |

mod blocks;
mod claims;
mod formulas;
mod inputs;

use std::collections::BTreeSet;

use septic_chips::{AddChip, Chip, DoubleChip};
use septic_curve::KoalaBear;
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_trace::{Claim, Trace, TraceChip};

use crate::block::{Block, LadderChip, Row};
use crate::judge::{failures, labels_of};
use crate::rows::{AddPlan, DoublePlan, cells};
use crate::support::name_of;

/// A cell of a ladder's row by the name of a constraint on it.
pub(crate) type Flag = (&'static str, fn(&mut Row) -> &mut KoalaBear);

/// The names of the constraints that an ADD row violates.
pub(crate) fn add_names(plan: &AddPlan) -> BTreeSet<&'static str> {
    let found = failures::<AddChip>(&cells(&plan.row()), &[]);
    labels_of(&found).into_iter().map(name_of).collect()
}

/// The names of the constraints that a DOUBLE row violates.
pub(crate) fn double_names(plan: &DoublePlan) -> BTreeSet<&'static str> {
    let found = failures::<DoubleChip>(&cells(&plan.row()), &[]);
    labels_of(&found).into_iter().map(name_of).collect()
}

pub(crate) fn only(name: &'static str) -> BTreeSet<&'static str> {
    BTreeSet::from([name])
}

/// The trace of events with all constraints, instance cells and results checked.
pub(crate) fn provable<C: TraceChip>(events: &[C::Event]) -> Trace<C> {
    let trace = C::generate_trace(events).unwrap();
    let claims: Vec<_> = events.iter().map(|&event| Claim::of(event)).collect();
    assert_eq!(trace.violations(), []);
    assert_eq!(trace.instance_violations(&claims), []);
    for (claim, out) in claims.iter().zip(&trace.outputs) {
        assert_eq!(claim.out, *out);
    }
    trace
}

pub(crate) fn parameters<C: Chip>() -> Vec<KoalaBear> {
    vec![KoalaBear::TWO; C::NUM_PARAMETERS]
}

/// Blocks one after the other.
pub(crate) fn joined<C: LadderChip>(blocks: &[&Block<C>]) -> Vec<KoalaBear> {
    blocks.iter().flat_map(|block| block.cells()).collect()
}
