//! Forged messages: a bus out of balance is named by label, and no proof of it verifies.

use p3_field::{PrimeCharacteristicRing, PrimeField32};
use p3_matrix::Matrix;
use septic_prover::MixedClaim;
use septic_prover::machine::{Fault, Layout, Machine, Record, TableKind, Traces};
use septic_prover::septic_trace::septic_chips::columns::{ColumnSet, column};
use septic_prover::septic_trace::septic_chips::half::verify::HalfVerifyCols;
use septic_prover::septic_trace::septic_chips::row_per_bit::{BitsTable, LadderClaimCols};
use septic_prover::septic_trace::septic_chips::table::Table;
use septic_prover::septic_trace::septic_chips::{AddChip, ScalarMulChip, VerifyChip};
use septic_prover::septic_trace::septic_curve::KoalaBear;
use septic_trace::Event;

use crate::cases::ChipCase;
use crate::{CONFIG, machine};

type Cols<C> = <BitsTable<C> as Table>::Cols<u32>;

/// The labels of all faults.
fn labels(traces: &Traces, claims: &[MixedClaim]) -> Vec<String> {
    let mut labels: Vec<String> = traces
        .faults(claims)
        .into_iter()
        .map(|fault| match fault {
            Fault::Constraint { label, .. } => label.to_string(),
            Fault::Bus { label, .. } => format!("bus {label}"),
            Fault::Instance { table, .. } => format!("instance {table}"),
            other => other.to_string(),
        })
        .collect();
    labels.sort();
    labels.dedup();
    labels
}

/// Without debug assertions the forgery is proven, and the verifier must refuse it.
fn refused(traces: &Traces, claims: &[MixedClaim]) {
    if !cfg!(debug_assertions) {
        let proof = Machine::new(CONFIG).prove_traces(traces, claims, &mut ()).unwrap();
        assert!(Machine::new(CONFIG).verify(claims, &proof).is_err());
    }
}

fn honest(events: &[Event]) -> (Traces, Vec<MixedClaim>) {
    honest_in(Layout::RowPerBit, events)
}

fn honest_in(layout: Layout, events: &[Event]) -> (Traces, Vec<MixedClaim>) {
    let (traces, claims) = machine(layout).traces(&Record::new(events), &mut ()).unwrap();
    assert_eq!(labels(&traces, &claims), Vec::<String>::new());
    (traces, claims)
}

/// Adds `delta` to a cell and checks which labels object.
fn forge(
    (traces, claims): &(Traces, Vec<MixedClaim>),
    cells: &[(TableKind, usize, usize, i32)],
    expected: &[&str],
) {
    let mut forged = traces.clone();
    for &(kind, row, column, delta) in cells {
        let trace = forged.table_mut(kind).unwrap();
        let width = trace.width();
        trace.values[row * width + column] += KoalaBear::from_i32(delta);
    }
    assert_eq!(labels(&forged, claims), expected, "{cells:?}");
    refused(&forged, claims);
}

#[test]
fn messages_of_row_per_bit_blocks() {
    use TableKind::{VerifyBits, VerifyClaims};
    let fields = <Cols<VerifyChip> as ColumnSet<u32>>::FIELDS;
    let (send, index) = (column(fields, "send"), column(fields, "index"));
    let claim_fields = <LadderClaimCols<u32> as ColumnSet<u32>>::FIELDS;
    let (claim_index, offset) = (column(claim_fields, "index"), column(claim_fields, "offset"));
    let two = honest(&[VerifyChip::event(1).into(), VerifyChip::event(2).into()]);

    // A message that is not sent: of the scalar's limb, of the result.
    forge(&two, &[(VerifyBits, 13, send, -1)], &["bus verify_claims.M2.limb"]);
    forge(&two, &[(VerifyBits, 511, send, -1)], &["bus verify_claims.M4.result"]);
    // A message too much, from a row that shows nothing.
    forge(&two, &[(VerifyBits, 20, send, 1)], &["bus verify_bits.M1.row", "verify_bits.B3.shown"]);
    // A message sent twice.
    forge(&two, &[(VerifyBits, 255, send, 1)], &["bus verify_bits.M1.row", "verify_bits.B2.send"]);
    // A row that takes the number of another.
    forge(
        &two,
        &[(VerifyBits, 13, index, 256), (VerifyBits, 269, index, -256)],
        &["bus verify_bits.M1.row", "bus verify_claims.M2.limb", "verify_bits.B1.index"],
    );
    // A claim that takes the block of another, both rows renumbered.
    forge(
        &two,
        &[(VerifyClaims, 0, claim_index, 256), (VerifyClaims, 1, claim_index, -256)],
        &[
            "bus verify_bits.M1.row",
            "bus verify_claims.M2.limb",
            "bus verify_claims.M3.limb_g",
            "bus verify_claims.M4.result",
            "verify_claims.B4.index",
        ],
    );
    // The other correction point.
    forge(&two, &[(VerifyClaims, 0, offset, 1)], &["bus verify_bits.M1.row", "bus verify_claims.M3.limb_g"]);
}

/// A claims row in which any one cell is changed: the instance columns object, and the bus as well.
#[test]
fn cells_of_the_claims_table() {
    let width = <LadderClaimCols<u32> as ColumnSet<u32>>::WIDTH;
    let (traces, claims) = honest(&[ScalarMulChip::event(3).into()]);
    for column in 0..width {
        for row in [0, 1, 15] {
            let mut forged = traces.clone();
            let trace = forged.table_mut(TableKind::ScalarMulClaims).unwrap();
            trace.values[row * width + column] += KoalaBear::ONE;
            let labels = labels(&forged, &claims);
            // The offset is free where the bus does not read it: in SCALAR_MUL it never does.
            let free = column == width - 1;
            assert_eq!(labels.is_empty(), free, "column {column}, row {row}: {labels:?}");
            let on_bus = labels.iter().any(|label| label.starts_with("bus"));
            let generator = (47..63).contains(&column);
            assert_eq!(
                on_bus,
                !free && !generator && (row == 0 || column == 0),
                "column {column}, row {row}"
            );
            if !free && column % 9 == 0 && row == 0 {
                refused(&forged, &claims);
            }
        }
    }
}

/// Two blocks exchanged as a whole: rows are numbered, so the claims are met by the wrong blocks.
#[test]
fn blocks_exchanged() {
    let (mut traces, claims) = honest(&[ScalarMulChip::event(3).into(), ScalarMulChip::event(4).into()]);
    let trace = traces.table_mut(TableKind::ScalarMulBits).unwrap();
    let width = trace.width();
    let index = width - 2;
    let (first, second) = trace.values.split_at_mut(256 * width);
    first.swap_with_slice(second);
    for row in 0..512 {
        trace.values[row * width + index] = KoalaBear::from_usize(row);
    }
    let labels = labels(&traces, &claims);
    assert!(labels.iter().all(|label| label.starts_with("bus")), "{labels:?}");
    assert!(labels.len() >= 3, "{labels:?}");
    refused(&traces, &claims);
}

/// Rows of operations: each cell of a first row changed, and what objects. Multiplicities and entries of the tables that are
/// looked up in.
#[test]
fn cells_of_half_scalar_tables() {
    use TableKind::{Generator, Range, ScalarMulHalf, VerifyHalf};
    let events = [ScalarMulChip::event(3).into(), VerifyChip::event(4).into()];
    let (traces, claims) = honest_in(Layout::HalfScalar, &events);
    // Without the tables that are looked up in, lookups are out of balance to begin with: what changes is what is noticed.
    let mut small = traces.clone();
    assert!(small.remove(Range) && small.remove(Generator));
    let before = small.faults(&claims);
    for kind in [ScalarMulHalf, VerifyHalf] {
        for column in 0..kind.width() {
            let mut forged = small.clone();
            forged.table_mut(kind).unwrap().values[column] += KoalaBear::ONE;
            assert_ne!(forged.faults(&claims), before, "{kind}, column {column}");
            if column % 401 == 7 {
                let mut forged = traces.clone();
                forged.table_mut(kind).unwrap().values[column] += KoalaBear::ONE;
                refused(&forged, &claims);
            }
        }
    }

    let busy = |kind: TableKind, column: usize| {
        let (_, trace) = traces.tables().find(|(other, _)| *other == kind).unwrap();
        (0..trace.height()).find(|row| trace.values[row * trace.width + column] != KoalaBear::ZERO).unwrap()
    };
    let forged = |kind: TableKind, column: usize, row: usize| {
        let mut forged = traces.clone();
        forged.table_mut(kind).unwrap().values[row * kind.width() + column] += KoalaBear::ONE;
        refused(&forged, &claims);
        labels(&forged, &claims)
    };
    for (column, label) in [(2, "bus range.M1.limb"), (3, "bus range.M2.pair")] {
        assert!(forged(Range, column, busy(Range, column)).iter().all(|label| label.starts_with("bus ")));
        assert_eq!(forged(Range, column, 8_191), [label]);
    }
    assert!(forged(Range, 0, 5).contains(&"range.R1.value".to_owned()));
    assert!(forged(Range, 1, 5).contains(&"range.R2.low".to_owned()));
    assert_eq!(forged(Generator, 15, 8_191), ["bus generator.M1.entry"]);
    for column in 0..15 {
        assert!(forged(Generator, column, busy(Generator, 15)).contains(&"instance generator".to_owned()));
    }
}

/// Windows of a scalar are met by entries of their own window and start: an entry of another is no entry of this one.
#[test]
fn entries_of_other_windows() {
    use TableKind::{Generator, VerifyHalf};
    let (traces, claims) = honest_in(Layout::HalfScalar, &[VerifyChip::event(4).into()]);
    let fields = <HalfVerifyCols<u32> as ColumnSet<u32>>::FIELDS;
    let (x_g, y_g) = (column(fields, "x_g"), column(fields, "y_g"));
    let (_, table) = traces.tables().find(|(kind, _)| *kind == Generator).unwrap();
    let entry = |row: usize| table.values[row * 16..][..16].to_vec();
    let digit = |w: usize| {
        let (_, trace) = traces.tables().find(|(kind, _)| *kind == VerifyHalf).unwrap();
        trace.values[column(fields, "s") + w].as_canonical_u32() as usize
    };
    // Window 3's entry from window 4, window 0's from the other start; both multiplicities follow.
    for (w, right, wrong) in [(3, 3 * 256 + digit(3), 4 * 256 + digit(3)), (0, digit(0), 28 * 256 + digit(0))]
    {
        let mut forged = traces.clone();
        let wrong_entry = entry(wrong);
        let rows = forged.table_mut(Generator).unwrap();
        rows.values[right * 16 + 15] -= KoalaBear::ONE;
        rows.values[wrong * 16 + 15] += KoalaBear::ONE;
        let row = forged.table_mut(VerifyHalf).unwrap();
        row.values[x_g + 7 * w..][..7].copy_from_slice(&wrong_entry[1..8]);
        row.values[y_g + 7 * w..][..7].copy_from_slice(&wrong_entry[8..15]);
        let labels = labels(&forged, &claims);
        assert!(labels.iter().any(|label| label.starts_with("bus ")), "{labels:?}");
        refused(&forged, &claims);
    }
}

/// A table of another height is no table of these claims, whatever its rows say: rows of a block that is not whole would wrap
/// around to the first row.
#[test]
fn tables_of_other_heights() {
    let (traces, claims) = honest(&[ScalarMulChip::event(3).into()]);
    let kinds: Vec<(TableKind, usize)> = traces.tables().map(|(kind, t)| (kind, t.height())).collect();
    for (kind, height) in kinds {
        for rows in [0, 1, height - 1, height + 2, height / 2, 2 * height] {
            let mut other = traces.clone();
            let trace = other.table_mut(kind).unwrap();
            trace.values.resize(rows * trace.width, KoalaBear::ZERO);
            assert_eq!(other.faults(&claims), [Fault::Tables], "{kind}, {rows} rows");
            if !rows.is_power_of_two() {
                let error = Machine::new(CONFIG).prove_traces(&other, &claims, &mut ()).unwrap_err();
                assert!(error.to_string().contains("not a power of two"), "{error}");
            }
        }
    }
}

/// A table left out, or proven without its partner.
#[test]
fn half_scalar_tables_left_out() {
    let events = [AddChip::event(1).into(), ScalarMulChip::event(1).into(), VerifyChip::event(1).into()];
    let (traces, claims) = honest_in(Layout::HalfScalar, &events);
    let kinds: Vec<TableKind> = traces.tables().map(|(kind, _)| kind).collect();
    assert_eq!(kinds.len(), 5);
    for kind in kinds {
        let mut without = traces.clone();
        assert!(without.remove(kind));
        assert!(labels(&without, &claims).contains(&"the tables are not those of the claims".to_owned()));
        refused(&without, &claims);
    }
}

/// As [`half_scalar_tables_left_out`].
#[test]
fn tables_left_out() {
    let events: Vec<Event> =
        vec![AddChip::event(1).into(), ScalarMulChip::event(1).into(), VerifyChip::event(1).into()];
    let (traces, claims) = honest(&events);
    let kinds: Vec<TableKind> = traces.tables().map(|(kind, _)| kind).collect();
    assert_eq!(kinds.len(), 5);
    for kind in kinds {
        let mut without = traces.clone();
        assert!(without.remove(kind));
        assert!(labels(&without, &claims).contains(&"the tables are not those of the claims".to_owned()));
        refused(&without, &claims);
    }
}
