//! The generator table: multiples of G, from which VERIFY adds up s·G.
//!
//! s < r is Σ d_w·2^(8w) over 27 windows: 26 bytes d_0, …, d_25, and d_26 < 2^9. The table holds
//!
//! | entry | rows | point |
//! |-------|------|-------|
//! | window 0, start B_0 | d, d < 2^8 | B_0 + d·G |
//! | window w, 0 < w < 26 | 2^8·w + d, d < 2^8 | (d + 1)·2^(8w)·G |
//! | window 26 | 2^8·26 + d, d < 2^9 | (d + 1)·2^208·G |
//! | window 0, start B_1 | 2^8·28 + d, d < 2^8 | B_1 + d·G |
//! | none | the rest | (0, 0) |
//!
//! No entry is the identity, and each row's number says what it is. The entries of a scalar sum up to s·G + Q_j,
//! Q_j = B_j + Σ_{0<w<27} 2^(8w)·G.
//!
//! ## Statement
//! A message sent on [`Bus::Generator`] is (i, x, y), the entry (x, y) on row i above.
//!
//! ## Columns  (16)
//! | name       | width | honest value             | constrained by |
//! |------------|-------|--------------------------|----------------|
//! | `index`    | 1     | the row's number         | instance       |
//! | `x`, `y`   | 14    | the entry                | instance       |
//! | `times`    | 1     | how often it is taken    | the bus        |
//!
//! ## Constraints
//! None but the instance columns': they do not depend on the claims, and the verifier knows all entries.
//!
//! ## Messages
//! | id | label             | fields       | provided |
//! |----|-------------------|--------------|----------|
//! | M1 | `generator.M1.entry` | index, x, y | `times` times |

use alloc::vec::Vec;

use crate::bus::{Bus, Count, MessageSink};
use crate::chip::NoFlags;
use crate::columns::columns;
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

/// log2 of the table's height.
pub const LOG_HEIGHT: usize = 13;

/// Windows of a scalar.
pub const WINDOWS: usize = 27;

/// Bits of a window, but for the last, which has one more.
pub const WINDOW_BITS: usize = 8;

/// The row of window 0's entry d is d for the start B_0, and this much more for B_1.
pub const SECOND_START: usize = (WINDOWS + 1) << WINDOW_BITS;

/// Rows with an entry.
pub const ENTRIES: usize = SECOND_START + (1 << WINDOW_BITS);

columns! {
    /// A row of [`GeneratorTable`].
    pub struct GeneratorCols {
        /// The row's number.
        index: Cell State,
        /// x of the entry.
        x: Septic State,
        /// y of the entry.
        y: Septic State,
        /// How often it is taken.
        times: Cell Witness,
    }
}

/// The generator table, 2^13 rows.
#[derive(Clone, Copy, Debug, Default)]
pub struct GeneratorTable;

impl Table for GeneratorTable {
    type Cols<T> = GeneratorCols<T>;
    type Flags<T> = NoFlags;

    const NAME: &'static str = "generator";
    const PERIOD: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[];
    const INSTANCE_COLUMNS: &'static [usize] = &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14];
    const NUM_PARAMETERS: usize = 0;

    fn flags(_: usize) -> NoFlags {
        NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        _: &mut S,
        _: &GeneratorCols<S::Expr>,
        _: &GeneratorCols<S::Expr>,
        _: &NoFlags,
        _: &Place<S::Expr>,
        _: &[S::Expr],
    ) {
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &GeneratorCols<S::Expr>) {
        // M1
        let mut fields = Vec::with_capacity(15);
        fields.push(local.index.clone());
        fields.extend_from_slice(&local.x.0);
        fields.extend_from_slice(&local.y.0);
        let count = Count::Provide(local.times.clone());
        sink.message(Label("generator.M1.entry"), Bus::Generator, count, fields);
    }
}
