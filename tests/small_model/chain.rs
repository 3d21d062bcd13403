//! All blocks of rows of the shortened ladder.
//!
//! The columns fall into groups that share no constraint: points, and one group a scalar. Digits belong to the points and
//! to their scalar. So the blocks of rows are the combinations of partial blocks, one a group, that have the same digits.
//! Each group is searched alone: row 0 over the whole field, then from each row that was reached all that may follow.

use std::collections::{BTreeSet, HashMap};
use std::ops::Range;
use std::rc::Rc;

use septic_chips::sink::Label;

use crate::search::{Columns, Counts, Plan, Row, Search, col, empty, straddling};
use crate::short::{LIMB, Ladder, ROWS, limb_on_row};

/// Columns that share constraints with no others but for the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Accumulator, base and slopes.
    Points,
    /// The scalar of the base.
    Scalar,
    /// The scalar of the generator, in VERIFY.
    GeneratorScalar,
}

impl Group {
    /// The group's columns on a row, with the values to be tried, in the order of the search.
    fn columns<C: Ladder<P>, const P: u32>(
        self,
        row: usize,
        liberties: &Liberties,
    ) -> Vec<(&'static str, Range<u32>)> {
        let (first, second): (&[&str], &[&str]) = match self {
            Self::Points => (&["offset", "x", "digit", "x_t", "y_t", "lambda_1", "lambda_2"], C::MORE_POINTS),
            Self::Scalar => (&["parity", "wraps", "identity", "carry_0", "carry_1"], &["digit", "horner"]),
            Self::GeneratorScalar => {
                (&["wraps_g_0", "wraps_g_1", "carry_g_0", "carry_g_1"], &["digit_g", "horner_g"])
            }
        };
        let values = |name: &str| if liberties.zero.contains(&name) { 0..1 } else { 0..P };
        let mut columns: Vec<_> = first.iter().chain(second).map(|&name| (name, values(name))).collect();
        // The limbs of the generator's scalar stand on the rows after limb rows.
        let limb_g = C::IS_VERIFY && row > 0 && limb_on_row(row - 1).is_some();
        let values = if limb_g || limb_on_row(row).is_some() { 0..liberties.limbs } else { 0..P };
        if self != Self::Points && limb_g == (self == Self::GeneratorScalar) {
            columns.push(("limb", values));
        }
        columns
    }
}

/// The groups of a chip.
pub(crate) const fn groups<C: Ladder<P>, const P: u32>() -> &'static [Group] {
    if C::IS_VERIFY {
        &[Group::Points, Group::Scalar, Group::GeneratorScalar]
    } else {
        &[Group::Points, Group::Scalar]
    }
}

/// The columns that what is remembered of a block is read from.
fn remembered<C: Ladder<P>, const P: u32>() -> impl Iterator<Item = usize> {
    let names = ["offset", "x_t", "y_t", "digit", "limb", "identity"];
    names.into_iter().chain(C::IS_VERIFY.then_some("digit_g")).map(col::<C>)
}

/// Every constraint on every row mentions columns of one group only.
pub(crate) fn groups_share_no_constraint<C: Ladder<P>, const P: u32>() {
    let columns = |group: Group, row: usize| {
        group.columns::<C, P>(row, &Liberties::NONE).into_iter().map(|(name, _)| col::<C>(name)).collect()
    };
    for row in 0..ROWS {
        let next = (row + 1) % ROWS;
        let groups: Vec<Columns> =
            groups::<C, P>().iter().map(|&group| [columns(group, row), columns(group, next)]).collect();
        assert_eq!(straddling::<C>(&C::short_flags(row), &groups), [], "row {row}");
    }
}

/// Departures from a chip's constraints and assumptions.
#[derive(Clone, Debug)]
pub(crate) struct Liberties {
    /// Constraints that are left out.
    pub(crate) dropped: Vec<Label>,
    /// Constraints that are left out where row 0 follows the row before.
    pub(crate) dropped_at_start: Vec<Label>,
    /// Limbs are below this.
    pub(crate) limbs: u32,
    /// Columns that are 0: a part of all blocks.
    pub(crate) zero: &'static [&'static str],
}

impl Liberties {
    /// None.
    pub(crate) const NONE: Self =
        Self { dropped: Vec::new(), dropped_at_start: Vec::new(), limbs: LIMB, zero: &[] };
}

/// The rows of one group that can stand on each place of an event, found from the first on. Cells that nobody reads
/// any more are 0.
pub(crate) struct Chain<C: Ladder<P>, const P: u32> {
    rows: Vec<Row<P>>,
    index: HashMap<Row<P>, usize>,
    /// One search a kind of step, and for each row of an event the kind of the step to its successor.
    steps: Vec<Search<C, P>>,
    kinds: Vec<usize>,
    /// The rows that may follow a row, by the kind of the step, the kind of the step after it, and the row.
    successors: HashMap<(usize, Option<usize>, usize), Rc<[usize]>>,
    /// The rows with which an event may start.
    start: Vec<usize>,
    /// The constraints that are checked on some row.
    pub(crate) checked: BTreeSet<Label>,
    pub(crate) counts: Counts,
}

impl<C: Ladder<P>, const P: u32> Chain<C, P> {
    pub(crate) fn new(group: Group, liberties: &Liberties) -> Self {
        let plan = |first: usize, second: usize| {
            let plan = Plan::<C>::new([first, second].map(C::short_flags)).without(&liberties.dropped);
            let columns = group.columns::<C, P>(second, liberties);
            columns.into_iter().fold(plan, |plan, (name, values)| plan.search(1, &[name], values))
        };
        let mut chain = Self {
            rows: Vec::new(),
            index: HashMap::new(),
            steps: Vec::new(),
            kinds: Vec::new(),
            successors: HashMap::new(),
            start: Vec::new(),
            checked: BTreeSet::new(),
            counts: Counts::default(),
        };
        for row in 0..ROWS - 1 {
            let given = group.columns::<C, P>(row, liberties);
            let plan = given.iter().fold(plan(row, row + 1), |plan, (name, _)| plan.given(0, name));
            let step = Search::new(&plan);
            chain.checked.extend(&step.checked);
            let known = chain.steps.iter().position(|known| known.does_as(&step));
            chain.kinds.push(known.unwrap_or(chain.steps.len()));
            if known.is_none() {
                chain.steps.push(step);
            }
        }
        // Row 0 follows the last row of some event. That row is unknown: what its constraints say of row 0 alone counts.
        let start = Search::new(&plan(ROWS - 1, 0).without(&liberties.dropped_at_start));
        chain.checked.extend(&start.checked);
        let mut found = BTreeSet::new();
        let mut counts = Counts::default();
        start.run([empty(); 2], &mut counts, |[_, row]| {
            found.insert(chain.read(0, row));
        });
        chain.counts = counts;
        chain.start = found.into_iter().map(|row| chain.intern(row)).collect();
        chain
    }

    /// A row that stands on row `at`, without the cells that nobody reads any more.
    fn read(&self, at: usize, row: &Row<P>) -> Row<P> {
        let mut read = empty();
        let needs = self.kinds.get(at).map(|&kind| &self.steps[kind].needs);
        for column in remembered::<C, P>().chain(needs.into_iter().flatten().copied()) {
            read[column] = row[column];
        }
        read
    }

    fn intern(&mut self, row: Row<P>) -> usize {
        *self.index.entry(row).or_insert_with(|| {
            self.rows.push(row);
            self.rows.len() - 1
        })
    }

    /// The rows that may follow `from`, which stands on row `at`.
    fn after(&mut self, at: usize, from: usize) -> Rc<[usize]> {
        let key = (self.kinds[at], self.kinds.get(at + 1).copied(), from);
        if let Some(known) = self.successors.get(&key) {
            return Rc::clone(known);
        }
        let mut found = BTreeSet::new();
        let mut counts = self.counts;
        self.steps[key.0].run([self.rows[from], empty()], &mut counts, |[_, next]| {
            found.insert(self.read(at + 1, next));
        });
        self.counts = counts;
        let found: Rc<[usize]> = found.into_iter().map(|row| self.intern(row)).collect();
        self.successors.insert(key, Rc::clone(&found));
        found
    }

    /// Follows all blocks. Of each remains what `note` makes of its rows, one after the other; blocks that agree in it
    /// and in their last row are one.
    pub(crate) fn follow<M: Copy + Default + Ord>(
        &mut self,
        note: impl Fn(M, usize, &Row<P>) -> M,
    ) -> BTreeSet<M> {
        let begin = self.start.iter().map(|&row| (note(M::default(), 0, &self.rows[row]), row));
        let mut blocks: BTreeSet<(M, usize)> = begin.collect();
        for at in 1..ROWS {
            let mut longer = BTreeSet::new();
            for (memory, row) in blocks {
                for &next in &*self.after(at - 1, row) {
                    longer.insert((note(memory, at, &self.rows[next]), next));
                }
            }
            blocks = longer;
        }
        blocks.into_iter().map(|(memory, _)| memory).collect()
    }
}
