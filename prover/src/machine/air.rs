//! The machine's tables as AIRs of one type, and what prover and verifier derive from them once.

use core::fmt;
use std::sync::LazyLock;

use p3_air::symbolic::AirLayout;
use p3_air::{Air, AirBuilder, BaseAir, WindowAccess};
use p3_batch_stark::symbolic::get_symbolic_constraints;
use p3_field::PrimeCharacteristicRing;
use p3_lookup::{Count as P3Count, InteractionBuilder, LogUpGadget, Lookup, Lookups, check_bus_widths};
use septic_trace::septic_chips::bus::{Bus, Count, MessageSink};
use septic_trace::septic_chips::check::{Failure, Message, check_table_row, fingerprint, row_messages};
use septic_trace::septic_chips::columns::ColumnSet;
use septic_trace::septic_chips::generator::GeneratorTable;
use septic_trace::septic_chips::half::{HalfScalarMulTable, HalfVerifyTable};
use septic_trace::septic_chips::p3::TableAir;
use septic_trace::septic_chips::range::RangeTable;
use septic_trace::septic_chips::row_per_bit::{BitsTable, LadderClaimsTable};
use septic_trace::septic_chips::sink::Label;
use septic_trace::septic_chips::table::{ChipTable, Place, Table};
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
            Tables::ScalarMulHalf($air) => $body,
            Tables::VerifyHalf($air) => $body,
            Tables::Generator($air) => $body,
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

            /// Columns whose every cell follows from the claims.
            #[must_use]
            pub const fn instance_columns(self) -> &'static [usize] {
                match self {
                    $(Self::$kind => <$table as Table>::INSTANCE_COLUMNS,)+
                }
            }

            /// The violated constraints of a row: label and coordinate.
            pub(crate) fn check_row(self, row: &RowToCheck<'_>) -> Vec<Failure> {
                match self {
                    $(Self::$kind => row.check::<$table>(),)+
                }
            }

            /// The messages of a row.
            pub(crate) fn messages(self, row: &[Val]) -> Vec<Message<Val>> {
                match self {
                    $(Self::$kind => row_messages::<$table, Val>(row),)+
                }
            }

            /// Number of parameters.
            #[must_use]
            pub const fn num_parameters(self) -> usize {
                match self {
                    $(Self::$kind => <$table as Table>::NUM_PARAMETERS,)+
                }
            }

            /// The numbers that security and cost depend on.
            #[must_use]
            pub fn shape(self) -> TableShape {
                KEYS.shape(self)
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
    ScalarMulHalf: HalfScalarMulTable,
    VerifyHalf: HalfVerifyTable,
    Generator: GeneratorTable,
    Range: RangeTable,
}

/// A row with what its constraints read.
pub(crate) struct RowToCheck<'a> {
    pub(crate) number: usize,
    pub(crate) height: usize,
    pub(crate) local: &'a [Val],
    pub(crate) next: &'a [Val],
    pub(crate) parameters: &'a [Val],
}

impl RowToCheck<'_> {
    fn check<T: Table>(&self) -> Vec<Failure> {
        let mut flags = vec![0; T::NUM_FLAGS];
        T::flags(self.number % T::PERIOD).write_to(&mut flags);
        let flags: Vec<Val> = flags.into_iter().map(Val::from_u32).collect();
        let place = Place {
            is_first: Val::from_bool(self.number == 0),
            is_transition: Val::from_bool(self.number + 1 < self.height),
        };
        check_table_row::<T, Val>(self.local, self.next, &flags, &place, self.parameters)
    }
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

impl<AB: AirBuilder<F = Val, Expr: 'static> + InteractionBuilder> Air<AB> for MachineAir {
    fn eval(&self, builder: &mut AB) {
        each!(self, air => eval(air, builder, self.records));
    }
}

fn eval<T: Table, AB: AirBuilder<F = Val, Expr: 'static> + InteractionBuilder>(
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

/// Numbers of a table that security and cost depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TableShape {
    /// Main columns.
    pub width: usize,
    /// Whether the next row is read.
    pub reads_next: bool,
    /// Constraints, with those of the buses.
    pub constraints: usize,
    /// The highest degree of a constraint.
    pub degree: usize,
    /// Messages of a row.
    pub messages: usize,
    /// Fields of the longest message.
    pub message_width: usize,
    /// Permutation columns in the challenge field: the accumulator, and one for every two messages of a bus.
    pub permutation_columns: usize,
}

impl TableShape {
    /// Cells of a row in the base field: main columns and permutation columns.
    #[must_use]
    pub const fn cells(&self) -> usize {
        self.width + 4 * self.permutation_columns
    }
}

/// What is derived from the tables once: lookups, packed two messages a column, shapes and the fingerprint.
pub(crate) struct Keys {
    lookups: Vec<Lookups<Val>>,
    shapes: Vec<TableShape>,
    /// A number that changes with the circuits.
    pub(crate) fingerprint: u64,
}

impl Keys {
    /// The lookups of a table.
    pub(crate) fn lookups(&self, kind: TableKind) -> Lookups<Val> {
        self.lookups[kind as usize].clone()
    }

    /// The shape of a table.
    pub(crate) fn shape(&self, kind: TableKind) -> TableShape {
        self.shapes[kind as usize]
    }
}

/// The keys of all tables.
///
/// # Panics
/// If a table's constraints are of too high a degree: a defect of the table, that a test would show.
pub(crate) static KEYS: LazyLock<Keys> = LazyLock::new(|| {
    let fingerprint = TableKind::ALL.iter().fold(0u64, |sum, kind| sum.rotate_left(7) ^ kind.fingerprint());
    let (lookups, shapes): (Vec<_>, _) = TableKind::ALL.iter().map(|&kind| derive(kind)).unzip();
    if let Err(error) = check_bus_widths(&lookups) {
        panic!("{error}");
    }
    Keys { lookups, shapes, fingerprint }
});

fn derive(kind: TableKind) -> (Lookups<Val>, TableShape) {
    let gadget = LogUpGadget::new();
    let air = kind.for_prover();
    let recording = MachineAir { records: true, ..air.clone() };
    let unpacked = Lookups::from_air::<Challenge, _>(&recording);
    let fields = |lookup: &Lookup<Val>| lookup.elements.iter().map(Vec::len).max().unwrap_or(0);
    let (messages, message_width) = (unpacked.len(), unpacked.iter().map(fields).max().unwrap_or(0));
    let lookups = unpacked.pack_same_bus(&gadget, MAX_DEGREE);
    let (base, extension) = get_symbolic_constraints::<Val, Challenge, _, _>(
        &air,
        AirLayout::from_air::<Val>(&air),
        &lookups,
        &gadget,
    );
    // Periodic columns count as columns, so this bounds the degree at every height.
    let degrees =
        base.iter().map(|c| c.degree_multiple()).chain(extension.iter().map(|c| c.degree_multiple()));
    let degree = degrees.max().unwrap_or(0);
    assert!(degree <= MAX_DEGREE, "the degree of {kind} is too high");
    let shape = TableShape {
        width: kind.width(),
        reads_next: !air.main_next_row_columns().is_empty(),
        constraints: base.len() + extension.len(),
        degree,
        messages,
        message_width,
        permutation_columns: if lookups.is_empty() { 0 } else { lookups.len() + 1 },
    };
    (lookups, shape)
}
