//! The row-per-bit layout in a machine: SCALAR_MUL's and VERIFY's blocks speak to a table with one row per claim.
//!
//! ## Statement
//! Two tables over one bus. [`BitsTable`] is the chip's trace, all of its constraints unchanged, and two columns more.
//! [`LadderClaimsTable`] has one row per claim; its instance columns are compared with the verifier's. If the bus
//! balances, then for each row i of the claims table with `is_real` = 1, rows 256i to 256i + 255 of the bits table are
//! a block whose base, scalars and result are those of the row. So the claim is true, by the chip's own theorem.
//!
//! ## Assumptions  (the integrator must guarantee)
//! - A1. Those of the chip but for the range of limbs: the verifier's limbs have 16 bits.   by the instance columns
//! - A2. The bus balances as multisets.                                                     by the lookup argument
//! - A3. The claims table's instance columns are the verifier's.                            by the verifier's AIR
//!
//! ## Columns
//! `BitsTable`: the chip's columns, then
//!
//! | name    | width | honest value                                    | constrained by |
//! |---------|-------|-------------------------------------------------|----------------|
//! | `index` | 1     | the row's number                                | B1             |
//! | `send`  | 1     | 1 on rows that show something of a claim, else 0 | B2, B3        |
//!
//! `LadderClaimsTable`: base and result with their identity flags, limbs of the scalar and of the generator's scalar
//! (zero in SCALAR_MUL), `is_real`: instance columns. Then `index` = 256·row (B4) and `offset`, which C_j stands on row
//! 254 (the bus ties it in VERIFY; in SCALAR_MUL no message reads it).
//!
//! ## Constraints
//! | id | label (`scalar_mul_bits.`…, `verify_bits.`…) | formula                                    | count | degree |
//! |----|----------------------------------------------|--------------------------------------------|---|---|
//! | B1 | `B1.index`                                   | first·index = 0; transition·(index′ − index − 1) = 0 | 2 | 2 |
//! | B2 | `B2.send`                                    | send·(send − 1) = 0                        | 1 | 2 |
//! | B3 | `B3.shown`                                   | send·(1 − shows) = 0, `shows` a flag       | 1 | 2 |
//! | B4 | `B4.index` (claims table)                    | first·index = 0; transition·(index′ − index − 256) = 0 | 2 | 2 |
//!
//! ## Messages
//! All are (index, identity, limb, `x_t`, `y_t`), 17 fields.
//!
//! | id | label        | bits table, sent with `send` | claims table, taken with `is_real` |
//! |----|--------------|------------------------------|------------------------------------|
//! | M1 | `M1.row`     | the row as it is             | –                                  |
//! | M2 | `M2.limb`    | rows 13 + 16m                | base and its flag, limb 15 − m     |
//! | M3 | `M3.limb_g`  | rows 14 + 16m (VERIFY)       | the same, limb 15 − m of s; on row 254 C_j, flag 0 |
//! | M4 | `M4.result`  | row 255                      | result and its flag, limb 0        |
//!
//! ## Soundness
//! B1 numbers the rows of the bits table, so an index is sent by one row only, at most once (B2), and only by rows that
//! the flag allows (B3). Each message that a claim takes was sent, hence by the row of that number; the heights are far
//! below p, so numbers do not wrap. M2 shows the base on 16 rows of the block on which the chip holds it constant.
//! Blocks whose rows are not all sent take part in no claim. ∎
//!
//! ## Padding
//! Unused blocks hold the chip's padding and send nothing; unused claims rows are zero but for `index`.

use core::marker::PhantomData;

use septic_curve::Septic;

use crate::bus::{Bus, Count, MessageSink};
use crate::chip::Chip;
use crate::columns::{ColumnSet, Field, Role, columns, concat_fields};
use crate::ladder::{CORRECTION_ROW, LadderView, OUTPUT_ROW, ROWS, limb_on_row};
use crate::params::{CurveParams, PointResidues};
use crate::relations::{assert_bool, select};
use crate::scalar_mul::{ScalarMulChip, ScalarMulCols};
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table, assert_counter};
use crate::verify::{VerifyChip, VerifyCols};

/// [`ROWS`] as a residue.
const BLOCK: u32 = 256;

/// A chip with the ladder's rows.
pub trait LadderChip: Chip {
    /// Whether limbs of a second scalar stand on the rows after limb rows.
    const TWO_SCALARS: bool;
    /// The bus to the claims table.
    const BUS: Bus;
    /// The names of the two tables.
    const NAMES: [&'static str; 2];
    /// Labels of B1 to B4 and M1 to M4.
    const LABELS: [Label; 8];
    /// The chip's C_j.
    const CORRECTIONS: [PointResidues; 2];

    /// The ladder's columns of a row.
    fn ladder<T>(cols: &Self::Cols<T>) -> LadderView<'_, T>;
}

/// Labels of B1 to B4 and M1 to M4.
macro_rules! labels {
    ($bits:literal, $claims:literal) => {
        [
            Label(concat!($bits, ".B1.index")),
            Label(concat!($bits, ".B2.send")),
            Label(concat!($bits, ".B3.shown")),
            Label(concat!($claims, ".B4.index")),
            Label(concat!($bits, ".M1.row")),
            Label(concat!($claims, ".M2.limb")),
            Label(concat!($claims, ".M3.limb_g")),
            Label(concat!($claims, ".M4.result")),
        ]
    };
}

impl<C: CurveParams> LadderChip for ScalarMulChip<C> {
    const TWO_SCALARS: bool = false;
    const BUS: Bus = Bus::ScalarMulClaims;
    const NAMES: [&'static str; 2] = ["scalar_mul_bits", "scalar_mul_claims"];
    const LABELS: [Label; 8] = labels!("scalar_mul_bits", "scalar_mul_claims");
    const CORRECTIONS: [PointResidues; 2] = C::SCALAR_MUL_CORRECTIONS;

    #[inline]
    fn ladder<T>(cols: &ScalarMulCols<T>) -> LadderView<'_, T> {
        cols.ladder()
    }
}

impl<C: CurveParams> LadderChip for VerifyChip<C> {
    const TWO_SCALARS: bool = true;
    const BUS: Bus = Bus::VerifyClaims;
    const NAMES: [&'static str; 2] = ["verify_bits", "verify_claims"];
    const LABELS: [Label; 8] = labels!("verify_bits", "verify_claims");
    const CORRECTIONS: [PointResidues; 2] = C::VERIFY_CORRECTIONS;

    #[inline]
    fn ladder<T>(cols: &VerifyCols<T>) -> LadderView<'_, T> {
        cols.ladder()
    }
}

/// Whether row `row` of a block shows something of a claim.
#[must_use]
pub const fn shows<C: LadderChip>(row: usize) -> bool {
    row == OUTPUT_ROW
        || limb_on_row(row).is_some()
        || C::TWO_SCALARS && row > 0 && limb_on_row(row - 1).is_some()
}

/// A row of [`BitsTable`]: the chip's columns and two more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitsCols<X, T> {
    /// The chip's row.
    pub chip: X,
    /// The row's number.
    pub index: T,
    /// The row sends its message.
    pub send: T,
}

impl<X: ColumnSet<T>, T> BitsCols<X, T> {
    const ALL: &'static ([Field; 32], usize) = &concat_fields(
        X::FIELDS,
        &[
            Field { name: "index", offset: 0, width: 1, role: Role::Bookkeeping },
            Field { name: "send", offset: 1, width: 1, role: Role::Bookkeeping },
        ],
    );
}

impl<X: ColumnSet<T>, T> ColumnSet<T> for BitsCols<X, T> {
    const WIDTH: usize = X::WIDTH + 2;
    const FIELDS: &'static [Field] = Self::ALL.0.split_at(Self::ALL.1).0;

    #[inline]
    fn from_fn(mut f: impl FnMut(usize) -> T) -> Self {
        Self { chip: X::from_fn(&mut f), index: f(X::WIDTH), send: f(X::WIDTH + 1) }
    }

    fn write_to(&self, row: &mut [T])
    where
        T: Clone,
    {
        self.chip.write_to(row);
        row[X::WIDTH] = self.index.clone();
        row[X::WIDTH + 1] = self.send.clone();
    }
}

/// The flags of [`BitsTable`]: the chip's and one more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BitsFlags<X, T> {
    /// The chip's flags.
    pub chip: X,
    /// The row shows something of a claim.
    pub shows: T,
}

impl<X: ColumnSet<T>, T> BitsFlags<X, T> {
    const ALL: &'static ([Field; 32], usize) =
        &concat_fields(X::FIELDS, &[Field { name: "shows", offset: 0, width: 1, role: Role::Bookkeeping }]);
}

impl<X: ColumnSet<T>, T> ColumnSet<T> for BitsFlags<X, T> {
    const WIDTH: usize = X::WIDTH + 1;
    const FIELDS: &'static [Field] = Self::ALL.0.split_at(Self::ALL.1).0;

    #[inline]
    fn from_fn(mut f: impl FnMut(usize) -> T) -> Self {
        Self { chip: X::from_fn(&mut f), shows: f(X::WIDTH) }
    }

    fn write_to(&self, row: &mut [T])
    where
        T: Clone,
    {
        self.chip.write_to(row);
        row[X::WIDTH] = self.shows.clone();
    }
}

/// The chip's trace with numbered rows that send what they show.
#[derive(Clone, Copy, Debug, Default)]
pub struct BitsTable<C>(PhantomData<C>);

impl<C: LadderChip> BitsTable<C> {
    /// The chip's columns that are read on the next row, and `index`.
    const NEXT_ROW: &'static ([usize; 64], usize) = &{
        let mut columns = [0; 64];
        let mut at = 0;
        while at < C::NEXT_ROW_COLUMNS.len() {
            columns[at] = C::NEXT_ROW_COLUMNS[at];
            at += 1;
        }
        columns[at] = C::WIDTH;
        (columns, at + 1)
    };
}

impl<C: LadderChip> Table for BitsTable<C> {
    type Cols<T> = BitsCols<C::Cols<T>, T>;
    type Flags<T> = BitsFlags<C::Flags<T>, T>;

    const NAME: &'static str = C::NAMES[0];
    const PERIOD: usize = ROWS;
    const NEXT_ROW_COLUMNS: &'static [usize] = Self::NEXT_ROW.0.split_at(Self::NEXT_ROW.1).0;
    const INSTANCE_COLUMNS: &'static [usize] = &[];
    const NUM_PARAMETERS: usize = C::NUM_PARAMETERS;

    fn flags(row: usize) -> Self::Flags<u32> {
        BitsFlags { chip: C::flags(row), shows: u32::from(shows::<C>(row)) }
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &Self::Cols<S::Expr>,
        next: &Self::Cols<S::Expr>,
        flags: &Self::Flags<S::Expr>,
        place: &Place<S::Expr>,
        parameters: &[S::Expr],
    ) {
        C::eval(sink, &local.chip, &next.chip, &flags.chip, parameters);
        let one = sink.constant(1);
        // B1: the rows are numbered
        assert_counter(sink, [C::LABELS[0]; 2], place, (&local.index, &next.index), one.clone());
        // B2, B3: a row sends once or not at all, and only if it shows something
        assert_bool(sink, C::LABELS[1], &local.send);
        sink.assert_zero(C::LABELS[2], local.send.clone() * (one - flags.shows.clone()));
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &Self::Cols<S::Expr>) {
        let row = C::ladder(&local.chip);
        let fields = [local.index.clone(), row.identity.clone(), row.limb.clone()];
        // M1
        sink.message(
            C::LABELS[4],
            C::BUS,
            Count::Send(local.send.clone()),
            fields.into_iter().chain(row.x_t.0.clone()).chain(row.y_t.0.clone()).collect(),
        );
    }
}

columns! {
    /// A row of [`LadderClaimsTable`], 65 columns.
    pub struct LadderClaimCols {
        /// The row holds a claim.
        is_real: Cell Bookkeeping,
        /// x of the base as the block shows it.
        x_base: Septic State,
        /// y of the base as the block shows it.
        y_base: Septic State,
        /// The base is the identity.
        base_identity: Cell Bookkeeping,
        /// x of the result as the block shows it.
        x_out: Septic State,
        /// y of the result as the block shows it.
        y_out: Septic State,
        /// The result is the identity.
        out_identity: Cell Bookkeeping,
        /// Limbs of the base's scalar.
        scalar: Cells<16> Bit,
        /// Limbs of the generator's scalar; zero in SCALAR_MUL.
        scalar_g: Cells<16> Bit,
        /// 256·row.
        index: Cell Bookkeeping,
        /// Which C_j stands on the block's row 254.
        offset: Cell Bookkeeping,
    }
}

/// Number of instance columns of [`LadderClaimsTable`]: all but `index` and `offset`.
const NUM_INSTANCE: usize = <LadderClaimCols<u32> as ColumnSet<u32>>::WIDTH - 2;

/// The instance columns: the first [`NUM_INSTANCE`].
const INSTANCE: [usize; NUM_INSTANCE] = {
    let mut columns = [0; NUM_INSTANCE];
    let mut i = 0;
    while i < NUM_INSTANCE {
        columns[i] = i;
        i += 1;
    }
    columns
};

/// One row per claim of a ladder chip.
#[derive(Clone, Copy, Debug, Default)]
pub struct LadderClaimsTable<C>(PhantomData<C>);

impl<C: LadderChip> Table for LadderClaimsTable<C> {
    type Cols<T> = LadderClaimCols<T>;
    type Flags<T> = crate::chip::NoFlags;

    const NAME: &'static str = C::NAMES[1];
    const PERIOD: usize = 1;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[NUM_INSTANCE];
    const INSTANCE_COLUMNS: &'static [usize] = &INSTANCE;
    const NUM_PARAMETERS: usize = 0;

    fn flags(_: usize) -> crate::chip::NoFlags {
        crate::chip::NoFlags
    }

    #[inline]
    fn eval<S: ConstraintSink>(
        sink: &mut S,
        local: &LadderClaimCols<S::Expr>,
        next: &LadderClaimCols<S::Expr>,
        _: &crate::chip::NoFlags,
        place: &Place<S::Expr>,
        _: &[S::Expr],
    ) {
        // B4: the index counts blocks
        let step = sink.constant(BLOCK);
        assert_counter(sink, [C::LABELS[3]; 2], place, (&local.index, &next.index), step);
    }

    #[inline]
    fn messages<S: MessageSink>(sink: &mut S, local: &LadderClaimCols<S::Expr>) {
        let zero = sink.constant(0);
        for (row, number) in (0..ROWS).zip(0..BLOCK) {
            let index = local.index.clone() + sink.constant(number);
            let take =
                |sink: &mut S, label, identity: &S::Expr, limb: &S::Expr, point: [Septic<S::Expr>; 2]| {
                    let [x, y] = point;
                    let fields = [index.clone(), identity.clone(), limb.clone()];
                    let fields = fields.into_iter().chain(x.0).chain(y.0).collect();
                    sink.message(label, C::BUS, Count::Receive(local.is_real.clone()), fields);
                };
            let base = [local.x_base.clone(), local.y_base.clone()];
            // M2
            if let Some(l) = limb_on_row(row) {
                take(sink, C::LABELS[5], &local.base_identity, &local.scalar[l], base);
            } else if C::TWO_SCALARS
                && let Some(l) = row.checked_sub(1).and_then(limb_on_row)
            {
                // M3
                let (identity, point) = if row == CORRECTION_ROW {
                    let point = select(|c| sink.constant(c), &C::CORRECTIONS, &local.offset);
                    (&zero, point)
                } else {
                    (&local.base_identity, base)
                };
                take(sink, C::LABELS[6], identity, &local.scalar_g[l], point);
            } else if row == OUTPUT_ROW {
                // M4
                let out = [local.x_out.clone(), local.y_out.clone()];
                take(sink, C::LABELS[7], &local.out_identity, &zero, out);
            }
        }
    }
}
