//! The cost of one chip.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::ops::Range;

use septic_chips::columns::{ColumnSet, Role};
use septic_chips::p3::ChipAir;
use septic_chips::septic_curve::KoalaBear;
use septic_chips::{Chip, Operation};
use septic_trace::{MAX_LOG_HEIGHT, MIN_LOG_HEIGHT};
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::{AirCost, CostError, Labelling};

/// What one event of a chip costs.
///
/// Computed by [`ChipCost::of`] from the chip's columns and its symbolic constraints.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
#[non_exhaustive]
pub struct ChipCost {
    /// The operation in capitals.
    pub name: String,
    /// The operation proven.
    #[serde(serialize_with = "operation_name")]
    pub operation: Operation,
    /// `row` or `row-per-bit`.
    pub layout: &'static str,
    /// Columns of the main trace.
    pub columns: usize,
    /// The same by what they are for; every role is present.
    #[serde(serialize_with = "role_names")]
    pub columns_by_role: BTreeMap<Role, usize>,
    /// Columns whose cell in the next row stands in a constraint.
    pub next_columns_read: usize,
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
    /// Chunks of the quotient polynomial, see [`AirCost::quotient_chunks`].
    pub quotient_chunks: usize,
    /// Distinct products in the constraints of one row.
    pub multiplications_per_row: usize,
    /// Messages of one event on a bus: none, no chip sends any.
    pub messages_per_event: usize,
    /// SP1's measure of proving work for one event, see [`sp1_gas`].
    pub sp1_gas_per_event: f64,
}

fn operation_name<S: Serializer>(operation: &Operation, serializer: S) -> Result<S::Ok, S::Error> {
    operation.name().serialize(serializer)
}

fn role_names<S: Serializer>(roles: &BTreeMap<Role, usize>, serializer: S) -> Result<S::Ok, S::Error> {
    let mut map = serializer.serialize_map(Some(roles.len()))?;
    for (role, columns) in roles {
        map.serialize_entry(role.name(), columns)?;
    }
    map.end()
}

/// SP1's estimate of proving work: (3·area + constraints)/191, where `area` is the number of cells and `constraints`
/// the number of equations, both summed over the rows of an event.
#[must_use]
pub fn sp1_gas(area: usize, constraints: usize) -> f64 {
    (3 * area + constraints) as f64 / 191.0
}

/// The columns of a chip by role.
struct ByRole<C>(PhantomData<C>);

impl<C: Chip> Labelling for ByRole<C> {
    fn groups(&self) -> Vec<(&str, Range<usize>)> {
        let fields = <C::Cols<u32> as ColumnSet<u32>>::FIELDS.iter();
        fields.map(|field| (field.role.name(), field.offset..field.offset + field.width)).collect()
    }

    fn rows_per_event(&self) -> usize {
        C::ROWS_PER_EVENT
    }
}

impl ChipCost {
    /// The cost of chip `C`.
    #[must_use]
    pub fn of<C: Chip>() -> Self {
        let air = ChipAir::<C, KoalaBear>::unbound();
        let cost = AirCost::of::<KoalaBear, _>(&air, &ByRole::<C>(PhantomData));
        let in_role = |role: Role| cost.columns_by_group.get(role.name()).copied().unwrap_or(0);
        Self {
            name: C::OPERATION.name().to_uppercase(),
            operation: C::OPERATION,
            layout: C::LAYOUT,
            columns: cost.columns,
            columns_by_role: Role::ALL.into_iter().map(|role| (role, in_role(role))).collect(),
            next_columns_read: cost.next_columns_read,
            rows_per_event: cost.rows_per_event,
            cells_per_event: cost.cells_per_event,
            constraints: cost.constraints,
            constraints_by_degree: cost.constraints_by_degree,
            max_degree: cost.max_degree,
            quotient_chunks: cost.quotient_chunks,
            multiplications_per_row: cost.multiplications_per_row,
            messages_per_event: 0,
            sp1_gas_per_event: cost.sp1_gas_per_event,
        }
    }

    /// The trace of `events` events in one proof: height, cells and what padding wastes.
    ///
    /// The height is that of the trace generator: the least power of two that holds the events, at least
    /// 2^[`MIN_LOG_HEIGHT`].
    ///
    /// # Errors
    /// If the trace would exceed 2^[`MAX_LOG_HEIGHT`] rows.
    pub fn batch(&self, events: usize) -> Result<Batch, CostError> {
        let used = events.checked_mul(self.rows_per_event);
        let rows = used
            .and_then(|used| used.max(self.rows_per_event).checked_next_power_of_two())
            .map(|rows| rows.max(1 << MIN_LOG_HEIGHT))
            .filter(|&rows| rows <= 1 << MAX_LOG_HEIGHT);
        match (used, rows) {
            (Some(used), Some(rows)) => {
                Ok(Batch { events, rows, cells: rows * self.columns, padding_rows: rows - used })
            }
            _ => Err(CostError::TooManyEvents { events, max_log_height: MAX_LOG_HEIGHT }),
        }
    }
}

/// The trace of a number of events in one proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[non_exhaustive]
pub struct Batch {
    /// Number of events.
    pub events: usize,
    /// Height of the trace, padding included.
    pub rows: usize,
    /// Cells of the trace, padding included.
    pub cells: usize,
    /// Rows that belong to no event.
    pub padding_rows: usize,
}

impl Batch {
    /// The share of the trace that is padding: 0 if every row belongs to an event, 1 without events.
    #[must_use]
    pub fn waste(&self) -> f64 {
        self.padding_rows as f64 / self.rows as f64
    }
}

#[cfg(test)]
mod tests {
    use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};
    use septic_trace::TraceChip;

    use super::*;

    fn costs() -> [ChipCost; 4] {
        [
            ChipCost::of::<AddChip>(),
            ChipCost::of::<DoubleChip>(),
            ChipCost::of::<ScalarMulChip>(),
            ChipCost::of::<VerifyChip>(),
        ]
    }

    #[test]
    fn gas_by_hand() {
        // (3·100 + 82)/191 = 382/191
        assert_eq!(sp1_gas(100, 82), 2.0);
        assert_eq!(sp1_gas(0, 0), 0.0);
        // 53 cells and 115 constraints on one row: (159 + 115)/191
        let add = ChipCost::of::<AddChip>();
        assert!((add.sp1_gas_per_event - 274.0 / 191.0).abs() < 1e-12);
        // 58 cells and 136 constraints on each of 256 rows: 256·(174 + 136)/191 = 79360/191
        let verify = ChipCost::of::<VerifyChip>();
        assert!((verify.sp1_gas_per_event - 79360.0 / 191.0).abs() < 1e-9);
    }

    #[test]
    fn roles_sum_to_columns() {
        for cost in costs() {
            assert_eq!(cost.columns_by_role.values().sum::<usize>(), cost.columns, "{}", cost.name);
            assert_eq!(cost.columns_by_role.len(), Role::ALL.len());
            assert_eq!(cost.cells_per_event, cost.columns * cost.rows_per_event);
        }
    }

    #[test]
    fn degrees_sum_to_constraints() {
        for cost in costs() {
            assert_eq!(cost.constraints_by_degree.values().sum::<usize>(), cost.constraints, "{}", cost.name);
            assert_eq!(cost.constraints_by_degree.keys().max(), Some(&cost.max_degree));
            assert_eq!(cost.quotient_chunks, (cost.max_degree - 1).next_power_of_two());
        }
    }

    #[test]
    fn next_columns_are_the_declared_ones() {
        fn check<C: Chip>() {
            assert_eq!(ChipCost::of::<C>().next_columns_read, C::NEXT_ROW_COLUMNS.len(), "{}", C::LAYOUT);
        }
        check::<AddChip>();
        check::<DoubleChip>();
        check::<ScalarMulChip>();
        check::<VerifyChip>();
    }

    #[test]
    fn constraints_are_the_labelled_ones() {
        fn labelled<C: Chip>() -> usize {
            septic_chips::check::labels::<C>().iter().map(|(_, n)| n).sum()
        }
        let labelled = [
            labelled::<AddChip>(),
            labelled::<DoubleChip>(),
            labelled::<ScalarMulChip>(),
            labelled::<VerifyChip>(),
        ];
        assert_eq!(costs().map(|cost| cost.constraints), labelled);
    }

    #[test]
    fn batches_are_as_tall_as_traces() {
        fn check<C: TraceChip>() {
            let cost = ChipCost::of::<C>();
            for events in
                [0, 1, 2, 3, 15, 16, 17, 256, 257, 2000, 1 << 15, 1 << 23, (1 << 23) + 1, usize::MAX]
            {
                let batch = cost.batch(events);
                assert_eq!(batch.clone().map(|b| b.rows).ok(), C::height(events).ok(), "{events} events");
                if let Ok(batch) = batch {
                    assert_eq!(batch.cells, batch.rows * C::WIDTH);
                    assert_eq!(batch.padding_rows + events * C::ROWS_PER_EVENT, batch.rows);
                    assert!((0.0..=1.0).contains(&batch.waste()));
                }
            }
        }
        check::<AddChip>();
        check::<DoubleChip>();
        check::<ScalarMulChip>();
        check::<VerifyChip>();
    }
}
