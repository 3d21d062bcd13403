//! The range table: pairs of bytes.
//!
//! ## Statement
//! A message taken from [`Bus::BytePair`] is a pair of bytes (low, high).
//!
//! ## Columns  (3)
//! | name          | honest value                                    | constrained by |
//! |---------------|-------------------------------------------------|----------------|
//! | `value`       | the row's number                                | R1             |
//! | `low`         | `value` modulo 256                              | R2             |
//! | `pairs`       | how often (low, high) is taken                  | the bus        |
//!
//! ## Constraints
//! | id | label           | formula                                                      | count | degree |
//! |----|-----------------|--------------------------------------------------------------|---|---|
//! | R1 | `range.R1.value` | first·value = 0; transition·(value′ − value − 1) = 0        | 2 | 2 |
//! | R2 | `range.R2.low`   | low = the flag that counts 0, …, 255                        | 1 | 1 |
//!
//! ## Messages
//! | id | label             | fields                        | provided |
//! |----|-------------------|-------------------------------|----------|
//! | M1 | `range.M1.pair`   | low, (value − low)/256        | `pairs` times |
//!
//! ## Soundness
//! The table has 2^16 rows: the verifier asks for that height. R1 numbers them, R2 makes `low` the number modulo 256, so
//! both fields of M1 are bytes, whatever the multiplicities are. ∎

use crate::bus::{Bus, Count, MessageSink};
use crate::columns::columns;
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table, assert_counter};

/// log2 of the table's height.
pub const LOG_HEIGHT: usize = 16;

/// 1/256 modulo p: 256·(p − (p − 1)/256) = 1 modulo p, since p − 1 = 127·2^24.
pub const INVERSE_OF_256: u32 = 0x7f00_0001 - (0x7f00_0000 >> 8);

columns! {
    /// A row of [`RangeTable`].
    pub struct RangeCols {
        /// The row's number.
        value: Cell State,
        /// The row's number modulo 256.
        low: Cell State,
        /// How often the pair is taken.
        pairs: Cell Witness,
    }
}

columns! {
    /// The flag of [`RangeTable`].
    pub struct RangeFlags {
        /// The row's number modulo 256.
        low: Cell Bookkeeping,
    }
}

/// The range table, 2^16 rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct RangeTable;

impl Table for RangeTable {
    type Cols<T> = RangeCols<T>;
    type Flags<T> = RangeFlags<T>;

    const NAME: &'static str = "range";
    const PERIOD: usize = 256;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[0];
    const INSTANCE_COLUMNS: &'static [usize] = &[];
    const NUM_PARAMETERS: usize = 0;

    fn flags(row: usize) -> RangeFlags<u32> {
        RangeFlags { low: row.to_le_bytes()[0].into() }
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &RangeCols<S::Expr>,
        next: &RangeCols<S::Expr>,
        flags: &RangeFlags<S::Expr>,
        place: &Place<S::Expr>,
        _: &[S::Expr],
    ) {
        let one = sink.constant(1);
        // R1, R2
        assert_counter(sink, [Label("range.R1.value"); 2], place, (&local.value, &next.value), one);
        sink.assert_zero(Label("range.R2.low"), local.low.clone() - flags.low.clone());
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &RangeCols<S::Expr>) {
        let high = (local.value.clone() - local.low.clone()) * sink.constant(INVERSE_OF_256);
        // M1
        sink.message(
            Label("range.M1.pair"),
            Bus::BytePair,
            Count::Provide(local.pairs.clone()),
            [local.low.clone(), high].into(),
        );
    }
}
