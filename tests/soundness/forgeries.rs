//! One forgery and more for every constraint of every chip.
//!
//! A forgery violates its constraint and nothing else: where the constraint is missing, it passes. Most make a false
//! statement pass. Some constraints only make an assignment unique; their forgeries say something true in a way that
//! no honest prover would.
//!
//! The outcome is judged by the instance cells alone, read as the chips' documentation reads them, and by native
//! arithmetic. In ADD and DOUBLE any non-zero `is_real` counts as a claim.

mod add;
mod double;
mod ladder;
mod scalar_mul;
mod verify;

use std::collections::{BTreeMap, BTreeSet};

use septic_chips::check::labels;
use septic_chips::sink::Label;
use septic_chips::{AddChip, Chip, DoubleChip, Operation, ScalarMulChip, VerifyChip};

pub(crate) use add::opposed_pair;
pub(crate) use ladder::{RealChip, free_slope_block, horner_start_block, random_plan};
pub(crate) use verify::{base_hitting, horner_g_start_block};

use crate::judge::Verdict;
use crate::support::name_of;

/// What passes without the constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// The instance cells say something false.
    FalseStatement,
    /// The instance cells say something true; the assignment is not the honest one.
    Freedom,
}

use Outcome::Freedom;

/// A forgery of the registry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Forgery {
    pub(crate) chip: Operation,
    /// The constraint that it violates, without chip and number.
    pub(crate) constraint: &'static str,
    pub(crate) outcome: Outcome,
    /// What is forged.
    pub(crate) what: &'static str,
    pub(crate) forge: fn() -> Verdict,
}

/// Every forgery, by chip and in the order of constraints.
pub(crate) fn registry() -> Vec<Forgery> {
    [
        add::forgeries(),
        double::forgeries(),
        ladder::forgeries::<ScalarMulChip>(),
        scalar_mul::forgeries(),
        ladder::forgeries::<VerifyChip>(),
        verify::forgeries(),
    ]
    .concat()
}

/// All constraints: label and number of equations, by chip.
pub(crate) fn constraints() -> Vec<(Operation, Vec<(Label, usize)>)> {
    fn of<C: Chip>() -> (Operation, Vec<(Label, usize)>) {
        (C::OPERATION, labels::<C>())
    }
    vec![of::<AddChip>(), of::<DoubleChip>(), of::<ScalarMulChip>(), of::<VerifyChip>()]
}

/// The constraints of all chips by chip and name, with their outcomes in the registry.
pub(crate) fn outcomes() -> BTreeMap<Label, BTreeSet<Outcome>> {
    let mut found: BTreeMap<Label, BTreeSet<Outcome>> = constraints()
        .into_iter()
        .flat_map(|(_, labels)| labels.into_iter().map(|(label, _)| (label, BTreeSet::new())))
        .collect();
    for forgery in registry() {
        let label = label_of(&forgery);
        found.get_mut(&label).unwrap().insert(forgery.outcome);
    }
    found
}

/// The label that a forgery is about.
fn label_of(forgery: &Forgery) -> Label {
    let constraints = constraints();
    let (_, labels) = constraints.iter().find(|(chip, _)| *chip == forgery.chip).unwrap();
    let mut named = labels.iter().filter(|(label, _)| name_of(*label) == forgery.constraint);
    let (label, _) = named.next().unwrap_or_else(|| panic!("{} has no {}", forgery.chip, forgery.constraint));
    assert!(named.next().is_none(), "names of constraints are unique in a chip");
    *label
}

#[test]
fn every_constraint_has_a_forgery() {
    let missing: Vec<Label> =
        outcomes().into_iter().filter(|(_, found)| found.is_empty()).map(|(label, _)| label).collect();
    assert_eq!(missing, []);
}

/// ADD's C2 and C3: each follows from the other and the rest, so a forgery must violate both.
const JOINT: [&str; 2] = ["p_identity", "q_identity"];

/// A forgery passes where its constraint is missing, and there only.
#[test]
fn each_forgery_violates_its_constraint_and_no_other() {
    let mut wrong = Vec::new();
    for forgery in registry() {
        let joint = forgery.chip == Operation::Add && JOINT.contains(&forgery.constraint);
        let expected: BTreeSet<Label> = if joint {
            JOINT.map(|constraint| label_of(&Forgery { constraint, ..forgery })).into()
        } else {
            BTreeSet::from([label_of(&forgery)])
        };
        let violated = (forgery.forge)().violated;
        if violated.iter().any(|labels| *labels != expected) {
            wrong.push(format!("{} {}, {}: {violated:?}", forgery.chip, forgery.constraint, forgery.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn each_forgery_says_what_it_is_recorded_to_say() {
    let mut wrong = Vec::new();
    for forgery in registry() {
        if (forgery.forge)().statement_holds != (forgery.outcome == Freedom) {
            wrong.push(format!("{} {}, {}", forgery.chip, forgery.constraint, forgery.what));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The constraints without which nothing false passes: they make assignments unique.
#[test]
fn constraints_for_uniqueness() {
    let of_chip = |chip: &str| {
        let only = BTreeSet::from([Freedom]);
        let all = outcomes();
        let labels = all.iter().filter(|(label, found)| label.0.starts_with(chip) && **found == only);
        labels.map(|(label, _)| name_of(*label)).collect::<BTreeSet<_>>()
    };
    assert_eq!(of_chip("add."), BTreeSet::new());
    assert_eq!(of_chip("double."), BTreeSet::new());
    let ladder = BTreeSet::from(["parity", "wraps", "correction_flag", "limb_idle"]);
    assert_eq!(of_chip("scalar_mul."), ladder);
    let generator = BTreeSet::from(["wraps_g_0", "wraps_g_1"]);
    assert_eq!(of_chip("verify."), &ladder | &generator);
}
