//! The range table: limbs of 13 bits, and pairs of limbs of 7 and 6 bits.
//!
//! ## Statement
//! A message sent on [`Bus::Limb`] is a number in [0, 2^13); one on [`Bus::LimbPair`] is a pair of a number in [0, 2^7)
//! and one in [0, 2^6).
//!
//! ## Columns  (4)
//! | name          | honest value                                    | constrained by |
//! |---------------|-------------------------------------------------|----------------|
//! | `value`       | the row's number                                | R1             |
//! | `low`         | `value` modulo 128                              | R2             |
//! | `limbs`       | how often (value) is taken                      | the bus        |
//! | `pairs`       | how often (low, ⌊value/128⌋) is taken           | the bus        |
//!
//! ## Constraints
//! | id | label           | formula                                                      | count | degree |
//! |----|-----------------|--------------------------------------------------------------|---|---|
//! | R1 | `range.R1.value` | first·value = 0; transition·(value′ − value − 1) = 0        | 2 | 2 |
//! | R2 | `range.R2.low`   | low = the flag that counts 0, …, 127                        | 1 | 1 |
//!
//! ## Messages
//! | id | label             | fields                        | provided |
//! |----|-------------------|-------------------------------|----------|
//! | M1 | `range.M1.limb`   | value                         | `limbs` times |
//! | M2 | `range.M2.pair`   | low, (value − low)/128        | `pairs` times |
//!
//! ## Soundness
//! The table has 2^13 rows: the verifier asks for that height. R1 numbers them, R2 makes `low` the number modulo 128, so the
//! field of M1 is below 2^13, those of M2 below 2^7 and 2^6, whatever the multiplicities are. ∎

use crate::bus::{Bus, Count, MessageSink};
use crate::columns::columns;
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table, assert_counter};

/// log2 of the table's height: bits of a limb.
pub const LOG_HEIGHT: usize = 13;

/// Bits of the low limb of a pair.
pub const LOW_BITS: usize = 7;

/// 1/128 modulo p: 128·(p − (p − 1)/128) = 1 modulo p, since p − 1 = 127·2^24.
pub const INVERSE_OF_128: u32 = 0x7f00_0001 - (0x7f00_0000 >> LOW_BITS);

columns! {
    /// A row of [`RangeTable`].
    pub struct RangeCols {
        /// The row's number.
        value: Cell State,
        /// The row's number modulo 128.
        low: Cell State,
        /// How often the limb is taken.
        limbs: Cell Witness,
        /// How often the pair is taken.
        pairs: Cell Witness,
    }
}

columns! {
    /// The flag of [`RangeTable`].
    pub struct RangeFlags {
        /// The row's number modulo 128.
        low: Cell Bookkeeping,
    }
}

/// The range table, 2^13 rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct RangeTable;

impl Table for RangeTable {
    type Cols<T> = RangeCols<T>;
    type Flags<T> = RangeFlags<T>;

    const NAME: &'static str = "range";
    const PERIOD: usize = 1 << LOW_BITS;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[0];
    const INSTANCE_COLUMNS: &'static [usize] = &[];
    const NUM_PARAMETERS: usize = 0;

    fn flags(row: usize) -> RangeFlags<u32> {
        RangeFlags { low: u32::from(row.to_le_bytes()[0] % (1 << LOW_BITS)) }
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
        // M1
        let limb = [local.value.clone()].into();
        sink.message(Label("range.M1.limb"), Bus::Limb, Count::Provide(local.limbs.clone()), limb);
        // M2
        let high = (local.value.clone() - local.low.clone()) * sink.constant(INVERSE_OF_128);
        let pair = [local.low.clone(), high].into();
        sink.message(Label("range.M2.pair"), Bus::LimbPair, Count::Provide(local.pairs.clone()), pair);
    }
}
