//! Where constraints are on.
//!
//! On cells that are random every equation fails, but for those that a flag switches off: so the rows on which a
//! constraint is on can be read off, and are those that the chips' documentation states. With a forgery on one row of
//! its kind, this covers all rows of the kind.

use std::collections::BTreeMap;

use septic_chips::check::{check_row, field_flags, labels};
use septic_chips::ladder::{CORRECTION_ROW, DIGITS, OUTPUT_ROW, limb_on_row};
use septic_chips::{AddChip, Chip, DoubleChip, ScalarMulChip, VerifyChip};
use septic_curve::KoalaBear;

use crate::support::{Random, name_of};

/// Whether a constraint is on, on a row.
fn is_on<C: Chip>(constraint: &str, row: usize) -> bool {
    let limb = limb_on_row(row).is_some();
    // VERIFY shows the limbs of s on the rows after those of e.
    let limb_g = C::NUM_PARAMETERS == 1 && row.checked_sub(1).and_then(limb_on_row).is_some();
    match constraint {
        "start_x" | "start_y" => row == 0,
        "step_x" | "step_y" => row < DIGITS,
        "base_held" | "identity_held" => row + 1 < DIGITS,
        "offset_held" | "parity_held" | "wraps_held" | "wraps_g_0_held" | "wraps_g_1_held" => {
            row < OUTPUT_ROW
        }
        "carry_0_held" | "carry_1_held" | "carry_g_0_held" | "carry_g_1_held" => row + 1 < DIGITS && !limb,
        "limb_tie" | "limb_tie_g" => limb,
        "limb_idle" => !limb && !limb_g,
        _ if constraint.starts_with("correction_") => row == CORRECTION_ROW,
        _ if constraint.starts_with("output_") => row == OUTPUT_ROW,
        _ => true,
    }
}

#[test]
fn constraints_are_on_where_they_should_be() {
    fn run<C: Chip>() {
        let mut random = Random::new(1);
        let mut cells = |n: usize| (0..n).map(|_| random.element()).collect::<Vec<_>>();
        let (local, next, parameters) = (cells(C::WIDTH), cells(C::WIDTH), cells(C::NUM_PARAMETERS));
        for row in 0..C::ROWS_PER_EVENT {
            let flags = field_flags::<C, KoalaBear>(row);
            let mut failed: BTreeMap<&str, usize> = BTreeMap::new();
            for failure in check_row::<C, _>(&local, &next, &flags, &parameters) {
                *failed.entry(name_of(failure.label)).or_default() += 1;
            }
            let constraints = labels::<C>().into_iter().map(|(label, equations)| (name_of(label), equations));
            let expected = constraints.filter(|(name, _)| C::ROWS_PER_EVENT == 1 || is_on::<C>(name, row));
            assert_eq!(failed, expected.collect(), "{} row {row}", C::OPERATION);
        }
    }
    run::<AddChip>();
    run::<DoubleChip>();
    run::<ScalarMulChip>();
    run::<VerifyChip>();
}
