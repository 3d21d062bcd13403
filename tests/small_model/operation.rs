//! Whole operations with the shortened ladder: every claim that some event proves.

use std::collections::{BTreeMap, BTreeSet};

use septic_chips::check::labels;
use septic_chips::scalar_mul::ScalarMulChip;
use septic_chips::sink::Label;
use septic_chips::verify::VerifyChip;

use crate::blocks::{PointBlock, ScalarBlock, expected_generator_scalars, expected_points, expected_scalars};
use crate::chain::{Chain, Group, Liberties, groups, groups_share_no_constraint};
use crate::curve::{Point, Toy29, Toy31, ToyCurve};
use crate::search::Counts;
use crate::short::{Ladder, SCALARS};
use crate::{Enumerated, Model};

/// Finds every claim that some event proves. Each is true, and the events are those that there should be.
fn operation<C: Ladder<P>, const P: u32>() -> Enumerated {
    let e = C::Curve::E;
    groups_share_no_constraint::<C, P>();
    let mut counts = Counts::default();
    let mut checked: BTreeSet<Label> = BTreeSet::new();
    let mut points = BTreeSet::new();
    let mut scalars = BTreeSet::new();
    // Without a generator its scalar is 0 and has no digits.
    let mut scalars_g = BTreeSet::from([ScalarBlock::default()]);
    for &group in groups::<C, P>() {
        let mut chain = Chain::<C, P>::new(group, &Liberties::NONE);
        match group {
            Group::Points => points = chain.follow(|block: PointBlock, at, row| block.with::<C, P>(at, row)),
            Group::Scalar => {
                scalars = chain.follow(|block: ScalarBlock, at, row| block.with::<C, P>(group, at, row))
            }
            Group::GeneratorScalar => {
                scalars_g = chain.follow(|block: ScalarBlock, at, row| block.with::<C, P>(group, at, row));
            }
        }
        counts.states += chain.counts.states;
        checked.extend(&chain.checked);
    }
    assert_eq!(
        checked,
        labels::<C>().into_iter().map(|(label, _)| label).collect(),
        "constraints are left out"
    );
    assert!(points == expected_points::<C, P>(), "the ladder leads elsewhere than it should");
    assert!(scalars == expected_scalars(&e), "digits stand for other scalars than they should");
    if C::IS_VERIFY {
        assert!(scalars_g == expected_generator_scalars(&e), "the generator's digits do");
    }

    // An event is a block of each group, with the same digits.
    let (scalars, scalars_g) = (by_digits(&scalars), by_digits(&scalars_g));
    let multiples: BTreeMap<Point, Vec<Point>> =
        e.points().map(|p| (p, (0..SCALARS).map(|k| e.multiple(k, p)).collect())).collect();
    let multiple = |k: u32, p: Point| multiples[&p][usize::try_from(k).unwrap()];
    let mut proven = BTreeSet::new();
    for block in &points {
        for s in scalars.get(&block.digits).into_iter().flatten() {
            let base = (s.identity == 0).then_some(block.base);
            let result = (s.result_identity == 0).then_some(block.result);
            for g in scalars_g.get(&block.digits_g).into_iter().flatten() {
                let sum = e.add(multiple(s.scalar, base), multiple(g.scalar, e.generator()));
                assert_eq!(result, sum, "{block:?}, {s:?}, {g:?}");
                proven.insert((base, s.scalar, g.scalar));
                counts.accepted += 1;
            }
        }
    }
    counts.with(proven.len())
}

/// The blocks with each string of digits.
fn by_digits(blocks: &BTreeSet<ScalarBlock>) -> BTreeMap<u32, Vec<ScalarBlock>> {
    let mut by_digits: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for &block in blocks {
        by_digits.entry(block.digits).or_default().push(block);
    }
    by_digits
}

pub(crate) static SCALAR_MUL: [Model; 2] = [
    Model::new(
        "SCALAR_MUL events over 29 elements",
        operation::<ScalarMulChip<Toy29>, _>,
        [960_212, 49_322, 1_420],
    ),
    Model::new(
        "SCALAR_MUL events over 31 elements",
        operation::<ScalarMulChip<Toy31>, _>,
        [1_249_309, 85_274, 1_802],
    ),
];

pub(crate) static VERIFY: [Model; 2] = [
    Model::new(
        "VERIFY events over 29 elements",
        operation::<VerifyChip<Toy29>, _>,
        [4_860_592, 1_512_442, 66_535],
    ),
    Model::new(
        "VERIFY events over 31 elements",
        operation::<VerifyChip<Toy31>, _>,
        [7_826_121, 1_515_993, 88_372],
    ),
];

/// All inputs have a proof but those for which each form of the scalar, from either offset, meets an exceptional case.
#[test]
fn scalar_mul_proves_true_claims_alone() {
    SCALAR_MUL.iter().for_each(Model::check);
}

/// The same of VERIFY.
#[test]
fn verify_proves_true_claims_alone() {
    VERIFY.iter().for_each(Model::check);
}
