//! What each constraint is needed for: it is left out, and the false claims that are then accepted are counted.
//!
//! Without a constraint that only makes assignments unique there are none, but more assignments.

use std::collections::BTreeSet;

use septic_chips::Chip;
use septic_chips::add::AddChip;
use septic_chips::check::labels;
use septic_chips::double::DoubleChip;
use septic_chips::scalar_mul::ScalarMulChip;
use septic_chips::sink::Label;
use septic_chips::verify::VerifyChip;

use crate::chain::{Chain, Group, Liberties, groups};
use crate::curve::{DIGITS, Point, Toy7, Toy13, Toy19, Toy29, ToyCurve};
use crate::field::F;
use crate::one_row::{add_plan, double_plan};
use crate::search::{Counts, Plan, Row, Search, cell, empty};
use crate::short::{LIMB, Ladder, ROWS, limb_on_row};

/// What is accepted without some constraints.
#[derive(Clone, Debug, Default)]
struct Outcome {
    counts: Counts,
    false_claims: usize,
}

/// Prints the false claims without each constraint and the states of all searches, and compares them with the pinned
/// ones.
fn pin(what: &str, found: &[(&str, Outcome)], claims: &str, states: u64) {
    let found_claims: Vec<_> =
        found.iter().map(|(id, outcome)| format!("{id} {}", outcome.false_claims)).collect();
    let found_claims = found_claims.join(", ");
    let found_states: u64 = found.iter().map(|(_, outcome)| outcome.counts.states).sum();
    println!("{what}: {found_states} states, false claims without each constraint: {found_claims}");
    assert_eq!((&*found_claims, found_states), (claims, states), "{what}");
}

/// What rows claim. A claim is false if one of these pairs of columns shows no point, or the points are not `is_true`.
fn rows<C: Chip, T: ToyCurve<P>, const P: u32>(
    plan: &Plan<C>,
    columns: &[[&str; 2]],
    is_true: impl Fn(&[Point]) -> bool,
) -> Outcome {
    let mut claims = BTreeSet::new();
    let mut counts = Counts::default();
    Search::<C, P>::new(plan).run([empty(); 2], &mut counts, |[row, _]| {
        let shown: Vec<[F<P>; 2]> = columns.iter().map(|xy| xy.map(|name| cell::<C, P>(row, name))).collect();
        let points: Result<Vec<Point>, _> = shown.iter().map(|&xy| T::decode(xy)).collect();
        // A row that is not real claims nothing.
        let claims_something = cell::<C, P>(row, "is_real") != F::ZERO;
        if claims_something && !points.is_ok_and(|points| is_true(&points)) {
            claims.insert(shown);
        }
    });
    Outcome { counts, false_claims: claims.len() }
}

fn add_without<T: ToyCurve<P>, const P: u32>(dropped: &[Label]) -> Outcome {
    let plan = add_plan::<T, P>(0..P).without(dropped);
    let columns = [["x_p", "y_p"], ["x_q", "y_q"], ["x_r", "y_r"]];
    rows::<_, T, P>(&plan, &columns, |points| T::E.add(points[0], points[1]) == points[2])
}

fn double_without(dropped: &[Label]) -> Outcome {
    let plan = double_plan::<Toy7, 7>(0..7).without(dropped);
    let columns = [["x_p", "y_p"], ["x_r", "y_r"]];
    rows::<_, Toy7, 7>(&plan, &columns, |points| Toy7::E.add(points[0], points[0]) == points[1])
}

/// The outcome without each constraint of a chip.
fn without_each<C: Chip>(without: impl Fn(&[Label]) -> Outcome) -> Vec<(&'static str, Outcome)> {
    labels::<C>().into_iter().map(|(label, _)| (label.id(), without(&[label]))).collect()
}

/// Each constraint is the only one that rejects some row, but for C2 and C3: each of them follows from the other and
/// the rest. Without both, two flags of 1/2 let a P off the curve pass, where b/2 is a square.
#[test]
fn add() {
    let found = without_each::<AddChip>(add_without::<Toy7, _>);
    let all = add_without::<Toy7, _>(&[]);
    assert_eq!(all.false_claims, 0);
    for (id, outcome) in &found {
        assert_eq!(outcome.counts.accepted == all.counts.accepted, ["C2", "C3"].contains(id), "{id}");
    }
    pin(
        "ADD",
        &found,
        "C1 235, C2 0, C3 0, C4 98, C5 98, C6 60, C7 60, C8 480, C9 480, C10 480, C11 8, C12 10, \
         C13 72, C14 56, C15 540, C16 540",
        807_919,
    );
    let both = add_without::<Toy19, _>(&[Label("add.C2.p_identity"), Label("add.C3.q_identity")]);
    pin("ADD over 19 elements", &[("C2 and C3", both)], "C2 and C3 2", 2_865_409);
}

#[test]
fn double() {
    assert_eq!(double_without(&[]).false_claims, 0);
    pin(
        "DOUBLE",
        &without_each::<DoubleChip>(double_without),
        "C1 26, C2 6, C3 51, C4 12, C5 62, C6 66, C7 66",
        13_426,
    );
}

/// What the point columns of a block claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct PointClaim {
    base: [u32; 2],
    /// Σ ±2^i over the digit rows modulo the order, for the base and the generator.
    sums: [u32; 2],
    /// The digit of the last row: 1 if the result is finite.
    finite: u32,
    result: [u32; 2],
}

impl PointClaim {
    /// The claim with one more row.
    fn with<C: Ladder<P>, const P: u32>(mut self, at: usize, row: &Row<P>) -> Self {
        let get = |name| cell::<C, P>(row, name).residue();
        let order = C::Curve::E.order;
        self.result = [get("x_t"), get("y_t")];
        self.finite = get("digit");
        if at == 0 {
            self.base = self.result;
        }
        if at < DIGITS {
            let next = |sum: u32, digit: u32| (2 * (sum + digit) + order - 1) % order;
            let digit_g = if C::IS_VERIFY { get("digit_g") } else { 0 };
            self.sums = [next(self.sums[0], get("digit")), next(self.sums[1], digit_g)];
        }
        self
    }

    fn is_true<C: Ladder<P>, const P: u32>(&self) -> bool {
        let e = C::Curve::E;
        let [base, result] = [self.base, self.result].map(|xy| C::Curve::decode(xy.map(F::new)));
        let (Ok(base @ Some(_)), Ok(result)) = (base, result) else { return false };
        // VERIFY's C_j takes off −(2^n − 1)·H.
        let of_h = e.multiple(self.sums[1] + (1 << DIGITS) - 1, C::H);
        let expected = e.add(e.multiple(self.sums[0], base), of_h);
        expected == if self.finite == 1 { result } else { None }
    }
}

/// What the scalar columns of a block claim.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct ScalarClaim {
    /// Modulo the order: Σ ±2^i over the digit rows for the base, Σ digit·2^i for the generator.
    sum: u32,
    /// Modulo the order.
    scalar: u32,
    /// The identity cells of the first and the last row.
    identity: [u32; 2],
    /// The digit of the last row.
    finite: u32,
}

impl ScalarClaim {
    /// The claim with one more row.
    fn with<C: Ladder<P>, const P: u32>(mut self, group: Group, at: usize, row: &Row<P>) -> Self {
        let get = |name| cell::<C, P>(row, name).residue();
        let order = C::Curve::E.order;
        let is_g = group == Group::GeneratorScalar;
        let digit = get(if is_g { "digit_g" } else { "digit" });
        if at < DIGITS {
            self.sum = if is_g { 2 * self.sum + digit } else { 2 * (self.sum + digit) + order - 1 } % order;
        }
        let limb_row = if is_g { at.checked_sub(1) } else { Some(at) };
        if limb_row.and_then(limb_on_row).is_some() {
            self.scalar = (LIMB * self.scalar + get("limb")) % order;
        }
        if at == 0 {
            self.identity[0] = get("identity");
        }
        (self.identity[1], self.finite) = if at == ROWS - 1 { (get("identity"), digit) } else { (0, 0) };
        self
    }

    /// A cell that is 1 shows the identity, any other does not.
    fn is_false(&self, group: Group) -> bool {
        let [base_identity, result_identity] = self.identity.map(|cell| cell == 1);
        let scalar = if base_identity { 0 } else { self.scalar };
        let flag_lies = group == Group::Scalar && result_identity == (self.finite == 1);
        self.sum != scalar || flag_lies
    }
}

/// What a group of columns claims, and the constraints that were checked.
fn events<C: Ladder<P>, const P: u32>(group: Group, liberties: &Liberties) -> (Outcome, BTreeSet<Label>) {
    let mut chain = Chain::<C, P>::new(group, liberties);
    let false_claims = if group == Group::Points {
        let claims = chain.follow(|claim: PointClaim, at, row| claim.with::<C, P>(at, row));
        claims.iter().filter(|claim| !claim.is_true::<C, P>()).count()
    } else {
        let claims = chain.follow(|claim: ScalarClaim, at, row| claim.with::<C, P>(group, at, row));
        claims.iter().filter(|claim| claim.is_false(group)).count()
    };
    (Outcome { counts: chain.counts, false_claims }, chain.checked)
}

/// For each constraint the outcome without it, of the first group in which it stops a false claim: points over 7
/// elements, scalars over 29. Without a constraint that stops none more assignments are accepted.
fn ladder_without_each<C7: Ladder<7>, C29: Ladder<29>>() -> Vec<(&'static str, Outcome)> {
    let of = |group: Group, liberties: &Liberties| match group {
        Group::Points => events::<C7, 7>(group, liberties),
        _ => events::<C29, 29>(group, liberties),
    };
    let all = groups::<C7, 7>().iter().map(|&group| (group, of(group, &Liberties::NONE)));
    let all: Vec<_> = all.map(|(group, (outcome, checked))| (group, outcome, checked)).collect();
    assert!(all.iter().all(|(_, outcome, _)| outcome.false_claims == 0));
    let without = |label: Label| {
        let liberties = Liberties { dropped: vec![label], zero: zero_columns(label), ..Liberties::NONE };
        let mut states = 0;
        let mut more = false;
        for (group, with, _) in all.iter().filter(|(_, _, checked)| checked.contains(&label)) {
            let (mut outcome, _) = of(*group, &liberties);
            states += outcome.counts.states;
            outcome.counts.states = states;
            if outcome.false_claims > 0 {
                return outcome;
            }
            more |= outcome.counts.accepted > with.counts.accepted;
        }
        assert!(more, "{label:?} excludes nothing");
        Outcome { counts: Counts { states, accepted: 0 }, false_claims: 0 }
    };
    labels::<C7>().into_iter().map(|(label, _)| (label.id(), without(label))).collect()
}

/// Without a constraint of digits and carries a group has many rows. Those where these columns are 0 show enough.
fn zero_columns(label: Label) -> &'static [&'static str] {
    match label.0.split('.').next_back() {
        Some("digit" | "carry_0" | "carry_1" | "horner") => &["parity", "wraps", "identity"],
        Some("digit_g" | "carry_g_0" | "carry_g_1" | "horner_g") => &["wraps_g_0", "wraps_g_1"],
        _ => &[],
    }
}

/// C24 and C29 only make assignments unique, here and in VERIFY.
#[test]
fn scalar_mul() {
    let found = ladder_without_each::<ScalarMulChip<Toy7>, ScalarMulChip<Toy29>>();
    pin(
        "SCALAR_MUL",
        &found,
        "C1 11747, C2 1884, C3 128, C4 252, C5 2000, C6 1670, C7 690, C11 616, C8 790, C9 724, \
         C10 720, C12 92, C13 360, C14 232, C15 80, C16 760, C17 112, C18 48, C19 48, C20 238, \
         C21 414, C22 802, C23 504, C24 0, C25 876, C26 192, C27 506, C28 2024, C29 0, C30 1994, \
         C31 1820",
        12_726_961,
    );
}

/// For C14 see [`verify_offset`].
#[test]
fn verify() {
    let found = ladder_without_each::<VerifyChip<Toy7>, VerifyChip<Toy29>>();
    pin(
        "VERIFY",
        &found,
        "C1 71799, C2 21578, C3 746, C4 1832, C5 21120, C6 14422, C7 6210, C11 5446, C8 5738, \
         C9 5558, C10 6336, C12 92, C13 3012, C14 0, C15 80, C16 760, C17 112, C18 48, C19 48, \
         C20 1814, C21 414, C22 802, C23 504, C24 0, C25 876, C26 192, C27 506, C28 2024, C29 0, \
         C30 19810, C31 4284, C32 20604, C33 18496, C34 10194, C35 1012, C36 6, C37 6, C38 828, \
         C39 192, C40 64, C41 64, C42 646, C43 88, C44 1012",
        28_676_430,
    );
}

/// Over 7 elements no event of VERIFY that starts from a third point comes back to the curve. Over 13 some do.
#[test]
fn verify_offset() {
    let without = Liberties { dropped: vec![Label("verify.C14.offset")], ..Liberties::NONE };
    let (outcome, _) = events::<VerifyChip<Toy13>, 13>(Group::Points, &without);
    pin("VERIFY over 13 elements", &[("C14", outcome)], "C14 4", 1_717_131);
}

/// The assumptions of VERIFY are needed as well: limbs in their range (A1), and a relation between the last row of an
/// event and the first row of the next (A4).
#[test]
fn assumptions() {
    type C = VerifyChip<Toy29>;
    let wide = Liberties { limbs: 29, ..Liberties::NONE };
    let horner = [Label("verify.C27.horner"), Label("verify.C35.horner_g")];
    let unlinked = Liberties { dropped_at_start: horner.to_vec(), ..Liberties::NONE };
    let of = |group: Group, liberties: &Liberties| events::<C, 29>(group, liberties).0;
    let found = [
        ("A1, e", of(Group::Scalar, &wide)),
        ("A1, s", of(Group::GeneratorScalar, &wide)),
        ("A4, e", of(Group::Scalar, &unlinked)),
        ("A4, s", of(Group::GeneratorScalar, &unlinked)),
    ];
    pin("assumptions of VERIFY", &found, "A1, e 230, A1, s 138, A4, e 936, A4, s 490", 3_854_454);
}
