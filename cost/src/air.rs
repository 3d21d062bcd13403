//! The cost of any AIR.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use p3_air::Air;
use p3_air::symbolic::{AirLayout, BaseEntry, SymbolicAirBuilder, get_symbolic_constraints};
use p3_field::Field;
use p3_uni_stark::get_log_num_quotient_chunks;
use septic_trace::MAX_LOG_HEIGHT;
use serde::Serialize;

use crate::count::{Counts, count};
use crate::sp1_gas;

/// The group of columns that no [`Labelling`] names.
pub const UNNAMED: &str = "unnamed";

/// Says what the columns of an AIR are for, and how many rows an event takes.
///
/// All methods have a default, so `()` is the labelling that says nothing.
pub trait Labelling {
    /// Names of runs of columns. Several runs may have one name. A column in two runs counts in the first; one in no run
    /// counts as [`UNNAMED`]; columns beyond the width are left out.
    fn groups(&self) -> Vec<(&str, Range<usize>)> {
        Vec::new()
    }

    /// Rows of one event.
    fn rows_per_event(&self) -> usize {
        1
    }
}

impl Labelling for () {}

/// What an AIR costs. Computed by [`AirCost::of`] from its widths and its symbolic constraints.
///
/// Only what the AIR itself asserts is counted: no buses, and no columns or constraints that a prover adds.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct AirCost {
    /// Columns of the main trace.
    pub columns: usize,
    /// The same by the labelling's names; they sum to `columns`.
    pub columns_by_group: BTreeMap<String, usize>,
    /// Columns of the main trace whose cell in the current row stands in a constraint.
    pub columns_read: usize,
    /// Columns of the main trace whose cell in the next row stands in a constraint.
    pub next_columns_read: usize,
    /// Preprocessed columns, committed once for all proofs.
    pub preprocessed_columns: usize,
    /// Periodic columns, not committed.
    pub periodic_columns: usize,
    /// Rows of one event.
    pub rows_per_event: usize,
    /// Cells of one event: columns × rows.
    pub cells_per_event: usize,
    /// Equations of one row in the base field.
    pub constraints: usize,
    /// The same by degree; only degrees that occur.
    pub constraints_by_degree: BTreeMap<usize, usize>,
    /// The largest degree of a constraint, gates included.
    pub max_degree: usize,
    /// Chunks of the quotient polynomial without hiding, by Plonky3's own count, for a trace of 2^[`MAX_LOG_HEIGHT`] rows.
    pub quotient_chunks: usize,
    /// Distinct products in the constraints of one row.
    pub multiplications_per_row: usize,
    /// SP1's measure of proving work for one event, see [`sp1_gas`].
    pub sp1_gas_per_event: f64,
}

impl AirCost {
    /// The cost of `air` over the field `F`.
    ///
    /// # Panics
    /// If `air` panics when it is evaluated on symbolic rows.
    #[must_use]
    pub fn of<F, A>(air: &A, labelling: &impl Labelling) -> Self
    where
        F: Field,
        A: Air<SymbolicAirBuilder<F>>,
    {
        let layout = AirLayout::from_air::<F>(air);
        let constraints = get_symbolic_constraints::<F, _>(air, layout);
        let Counts { products, variables } = count(&constraints);

        let mut constraints_by_degree = BTreeMap::new();
        for constraint in &constraints {
            *constraints_by_degree.entry(constraint.degree_multiple()).or_default() += 1;
        }
        let read =
            |offset| variables.iter().filter(|(entry, _)| *entry == BaseEntry::Main { offset }).count();
        let columns = layout.main_width;
        let rows_per_event = labelling.rows_per_event();
        let cells_per_event = columns * rows_per_event;
        let height = 1 << MAX_LOG_HEIGHT;
        Self {
            columns,
            columns_by_group: by_group(labelling, columns),
            columns_read: read(0),
            next_columns_read: read(1),
            preprocessed_columns: layout.preprocessed_width,
            periodic_columns: layout.num_periodic_columns,
            rows_per_event,
            cells_per_event,
            constraints: constraints.len(),
            max_degree: constraints_by_degree.keys().next_back().copied().unwrap_or(0),
            constraints_by_degree,
            quotient_chunks: 1 << get_log_num_quotient_chunks::<F, _>(air, layout, height, 0),
            multiplications_per_row: products,
            sp1_gas_per_event: sp1_gas(cells_per_event, constraints.len() * rows_per_event),
        }
    }
}

/// The number of columns of each name.
fn by_group(labelling: &impl Labelling, columns: usize) -> BTreeMap<String, usize> {
    let mut free: BTreeSet<usize> = (0..columns).collect();
    let mut by_group: BTreeMap<String, usize> = BTreeMap::new();
    for (name, range) in labelling.groups() {
        let named = range.filter(|column| free.remove(column)).count();
        *by_group.entry(name.to_owned()).or_default() += named;
    }
    if !free.is_empty() {
        *by_group.entry(UNNAMED.to_owned()).or_default() += free.len();
    }
    by_group
}

#[cfg(test)]
mod tests {
    use p3_air::{AirBuilder, BaseAir, WindowAccess};
    use p3_field::PrimeCharacteristicRing;
    use septic_chips::septic_curve::KoalaBear;

    use super::*;

    /// Two columns a and b: a = 1 on the first row, a' = b from row to row, (a·b)·b = a on all rows.
    struct Toy;

    impl BaseAir<KoalaBear> for Toy {
        fn width(&self) -> usize {
            2
        }
    }

    impl<AB: AirBuilder<F = KoalaBear>> Air<AB> for Toy {
        fn eval(&self, builder: &mut AB) {
            let main = builder.main();
            let (a, b): (AB::Expr, AB::Expr) =
                (main.current_slice()[0].into(), main.current_slice()[1].into());
            let next: AB::Expr = main.next_slice()[0].into();
            builder.when_first_row().assert_eq(a.clone(), AB::Expr::ONE);
            builder.when_transition().assert_eq(next, b.clone());
            builder.assert_eq(a.clone() * b.clone() * b, a);
        }
    }

    /// No column and no constraint.
    struct Empty;

    impl BaseAir<KoalaBear> for Empty {
        fn width(&self) -> usize {
            0
        }
    }

    impl<AB: AirBuilder<F = KoalaBear>> Air<AB> for Empty {
        fn eval(&self, _: &mut AB) {}
    }

    /// Runs that overlap, leave a column out, and go beyond the width.
    struct Runs(Vec<(&'static str, Range<usize>)>);

    impl Labelling for Runs {
        fn groups(&self) -> Vec<(&str, Range<usize>)> {
            self.0.clone()
        }

        fn rows_per_event(&self) -> usize {
            5
        }
    }

    fn groups(runs: Vec<(&'static str, Range<usize>)>) -> Vec<(String, usize)> {
        by_group(&Runs(runs), 4).into_iter().collect()
    }

    #[test]
    fn toy_by_hand() {
        let cost = AirCost::of::<KoalaBear, _>(&Toy, &Runs(vec![("input", 0..1)]));
        assert_eq!((cost.columns, cost.columns_read, cost.next_columns_read), (2, 2, 1));
        assert_eq!((cost.preprocessed_columns, cost.periodic_columns), (0, 0));
        assert_eq!((cost.rows_per_event, cost.cells_per_event), (5, 10));
        // Plonky3 counts the gate of the first row as 1 and that of transitions as 0.
        assert_eq!(cost.constraints, 3);
        assert_eq!(cost.constraints_by_degree, BTreeMap::from([(1, 1), (2, 1), (3, 1)]));
        assert_eq!((cost.max_degree, cost.quotient_chunks), (3, 2));
        // Two gates, a·b, (a·b)·b.
        assert_eq!(cost.multiplications_per_row, 4);
        // (3·10 + 3·5)/191
        assert!((cost.sp1_gas_per_event - 45.0 / 191.0).abs() < 1e-12);
        let named: Vec<_> = cost.columns_by_group.into_iter().collect();
        assert_eq!(named, [("input".to_owned(), 1), (UNNAMED.to_owned(), 1)]);
    }

    #[test]
    fn nothing_costs_nothing() {
        let cost = AirCost::of::<KoalaBear, _>(&Empty, &());
        assert_eq!(
            (cost.columns, cost.constraints, cost.max_degree, cost.multiplications_per_row),
            (0, 0, 0, 0)
        );
        assert_eq!((cost.quotient_chunks, cost.sp1_gas_per_event), (1, 0.0));
        assert!(cost.columns_by_group.is_empty() && cost.constraints_by_degree.is_empty());
    }

    #[test]
    fn groups_sum_to_the_width() {
        let owned = |groups: &[(&str, usize)]| -> Vec<(String, usize)> {
            groups.iter().map(|&(name, n)| (name.to_owned(), n)).collect()
        };
        assert_eq!(groups(vec![]), owned(&[(UNNAMED, 4)]));
        assert_eq!(groups(vec![("x", 0..2), ("y", 1..9)]), owned(&[("x", 2), ("y", 2)]));
        assert_eq!(
            groups(vec![("x", 0..1), ("y", 1..2), ("x", 3..4)]),
            owned(&[(UNNAMED, 1), ("x", 2), ("y", 1)])
        );
    }
}
