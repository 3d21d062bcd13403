//! The machine's tables as AIRs of one type, and what prover and verifier derive from them once.

use core::fmt;
use std::sync::LazyLock;

use p3_air::symbolic::AirLayout;
use p3_air::{Air, AirBuilder, BaseAir, WindowAccess};
use p3_batch_stark::symbolic::get_log_num_quotient_chunks;
use p3_field::PrimeCharacteristicRing;
use p3_lookup::{Count as P3Count, InteractionBuilder, LogUpGadget, Lookups};
use septic_trace::septic_chips::bus::{Bus, Count, MessageSink};
use septic_trace::septic_chips::check::fingerprint;
use septic_trace::septic_chips::columns::ColumnSet;
use septic_trace::septic_chips::p3::TableAir;
use septic_trace::septic_chips::range::RangeTable;
use septic_trace::septic_chips::row_per_bit::{BitsTable, LadderClaimsTable};
use septic_trace::septic_chips::sink::Label;
use septic_trace::septic_chips::table::{ChipTable, Table};
use septic_trace::septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};

use crate::claims::DIGEST_LEN;
use crate::config::{Challenge, Val};

/// The degree that the packing of messages into permutation columns may reach: the constraints' own.
const MAX_DEGREE: usize = 3;

/// A Plonky3 builder as a sink of messages.
struct P3Messages<'a, AB>(&'a mut AB);

impl<AB: InteractionBuilder> MessageSink for P3Messages<'_, AB> {
    type Expr = AB::Expr;

    fn constant(&self, c: u32) -> AB::Expr {
        AB::F::from_u32(c).into()
    }

    fn message(&mut self, _: Label, bus: Bus, count: Count<AB::Expr>, fields: Vec<AB::Expr>) {
        let count = match count {
            Count::Send(n) => P3Count::bounded(n, 1),
            Count::Receive(n) => P3Count::bounded(-n, 1),
            Count::Provide(n) => P3Count::provided(-n),
        };
        self.0.push_interaction(bus.name(), fields, count);
    }
}

/// Calls `$body` with the table's AIR, whichever it is.
macro_rules! each {
    ($machine:expr, $air:ident => $body:expr) => {
        match &$machine.tables {
            Tables::Add($air) => $body,
            Tables::Double($air) => $body,
            Tables::ScalarMulBits($air) => $body,
            Tables::ScalarMulClaims($air) => $body,
            Tables::VerifyBits($air) => $body,
            Tables::VerifyClaims($air) => $body,
            Tables::Range($air) => $body,
        }
    };
}

/// Declares the kinds of table.
macro_rules! kinds {
    ($($kind:ident: $table:ty,)+) => {
        /// A table of the machine.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[allow(missing_docs, reason = "named like the tables")]
        pub enum TableKind {
            $($kind,)+
        }

        impl TableKind {
            /// All tables, in the order in which a proof holds them.
            pub const ALL: &[Self] = &[$(Self::$kind),+];

            /// The table's name.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => <$table as Table>::NAME,)+
                }
            }

            /// Number of main columns.
            #[must_use]
            pub const fn width(self) -> usize {
                match self {
                    $(Self::$kind => <$table as Table>::WIDTH,)+
                }
            }

            /// Number of parameters.
            #[must_use]
            pub const fn num_parameters(self) -> usize {
                match self {
                    $(Self::$kind => <$table as Table>::NUM_PARAMETERS,)+
                }
            }

            fn fingerprint(self) -> u64 {
                match self {
                    $(Self::$kind => fingerprint::<$table>(),)+
                }
            }

            /// The table's AIR as a prover sees it.
            pub(crate) fn for_prover(self) -> MachineAir {
                let tables = match self {
                    $(Self::$kind => Tables::$kind(TableAir::for_prover(DIGEST_LEN)),)+
                };
                MachineAir { tables, records: false }
            }

            /// The table's AIR as a verifier sees it, with the instance columns.
            pub(crate) fn for_verifier(self, columns: Vec<Vec<Val>>) -> MachineAir {
                let tables = match self {
                    $(Self::$kind => Tables::$kind(TableAir::for_verifier(columns, DIGEST_LEN)),)+
                };
                MachineAir { tables, records: false }
            }
        }

        #[derive(Clone, Debug)]
        enum Tables {
            $($kind(TableAir<$table, Val>),)+
        }
    };
}

kinds! {
    Add: ChipTable<AddChip>,
    Double: ChipTable<DoubleChip>,
    ScalarMulBits: BitsTable<ScalarMulChip>,
    ScalarMulClaims: LadderClaimsTable<ScalarMulChip>,
    VerifyBits: BitsTable<VerifyChip>,
    VerifyClaims: LadderClaimsTable<VerifyChip>,
    Range: RangeTable,
}

impl fmt::Display for TableKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A table of the machine as an AIR.
#[derive(Clone, Debug)]
pub(crate) struct MachineAir {
    tables: Tables,
    /// Whether messages are recorded. They are when lookups are derived; proofs take them from [`Keys`].
    records: bool,
}

impl BaseAir<Val> for MachineAir {
    fn width(&self) -> usize {
        each!(self, air => BaseAir::<Val>::width(air))
    }

    fn num_public_values(&self) -> usize {
        each!(self, air => BaseAir::<Val>::num_public_values(air))
    }

    fn num_periodic_columns(&self) -> usize {
        each!(self, air => BaseAir::<Val>::num_periodic_columns(air))
    }

    fn periodic_columns(&self) -> std::borrow::Cow<'_, [Vec<Val>]> {
        each!(self, air => air.periodic_columns())
    }

    fn main_next_row_columns(&self) -> Vec<usize> {
        each!(self, air => BaseAir::<Val>::main_next_row_columns(air))
    }
}

impl<AB: AirBuilder<F = Val> + InteractionBuilder> Air<AB> for MachineAir {
    fn eval(&self, builder: &mut AB) {
        each!(self, air => eval(air, builder, self.records));
    }
}

fn eval<T: Table, AB: AirBuilder<F = Val> + InteractionBuilder>(
    air: &TableAir<T, Val>,
    builder: &mut AB,
    records: bool,
) {
    air.eval(builder);
    if records {
        let main = builder.main();
        let local = T::Cols::<AB::Expr>::from_fn(|i| main.current_slice()[i].into());
        T::messages(&mut P3Messages(builder), &local);
    }
}

/// What is derived from the tables once: lookups, packed two messages a column, and the fingerprint.
pub(crate) struct Keys {
    lookups: Vec<Lookups<Val>>,
    /// A number that changes with the circuits.
    pub(crate) fingerprint: u64,
}

impl Keys {
    /// The lookups of a table.
    pub(crate) fn lookups(&self, kind: TableKind) -> Lookups<Val> {
        self.lookups[kind as usize].clone()
    }
}

/// The keys of all tables.
///
/// # Panics
/// If a table's constraints are of too high a degree: a defect of the table, that a test would show.
pub(crate) static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let gadget = LogUpGadget::new();
    let lookups = TableKind::ALL.iter().map(|kind| {
        let air = MachineAir { records: true, ..kind.for_prover() };
        let lookups = Lookups::from_air::<Challenge, _>(&air).pack_same_bus(&gadget, MAX_DEGREE);
        let air = kind.for_prover();
        let layout = AirLayout::from_air::<Val>(&air);
        let height = 1 << 16;
        let chunks =
            get_log_num_quotient_chunks::<Val, Challenge, _, _>(&air, layout, height, &lookups, 0, &gadget);
        assert!(chunks <= 1, "the degree of {kind} is too high");
        lookups
    });
    let fingerprint = TableKind::ALL.iter().fold(0u64, |sum, kind| sum.rotate_left(7) ^ kind.fingerprint());
    Keys { lookups: lookups.collect(), fingerprint }
});
