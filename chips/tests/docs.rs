//! What the module documentation says of columns, constraints and messages is what the code says; and what a constraint is
//! said to read is what it reads.
#![allow(clippy::unwrap_used, reason = "a test stops where a row is missing")]

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use septic_chips::check::{check_table_row, degrees, row_messages};
use septic_chips::columns::ColumnSet;
use septic_chips::docs::{Documentation, TABLES};
use septic_chips::half::{HalfScalarMulTable, HalfVerifyTable};
use septic_chips::reads::{assertions, residues};
use septic_chips::septic_curve::KoalaBear;
use septic_chips::septic_curve::p3_field::PrimeCharacteristicRing;
use septic_chips::table::{ChipTable, Place, Table};
use septic_chips::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};

macro_rules! for_each_table {
    ($check:ident) => {
        $check::<ChipTable<AddChip>>();
        $check::<ChipTable<DoubleChip>>();
        $check::<ChipTable<ScalarMulChip>>();
        $check::<ChipTable<VerifyChip>>();
        $check::<HalfScalarMulTable>();
        $check::<HalfVerifyTable>();
    };
}

fn columns<T: Table>() {
    let docs = Documentation::of(T::NAME).unwrap();
    for field in <T::Cols<u32> as ColumnSet<u32>>::FIELDS {
        let doc = docs.column(field.name).unwrap_or_else(|| panic!("{}: no column {}", T::NAME, field.name));
        // A row of the documentation may list two fields.
        let listed =
            docs.columns.iter().filter(|other| other.honest == doc.honest && other.width == doc.width);
        let widths = [doc.width, doc.width / 2];
        assert!(widths[..listed.count().min(2)].contains(&field.width), "{}: {}", T::NAME, field.name);
        assert_eq!(doc.role, field.role.name(), "{}: {}", T::NAME, field.name);
        assert!(!doc.honest.is_empty() && !doc.constrained_by.is_empty());
    }
    let fields = <T::Cols<u32> as ColumnSet<u32>>::FIELDS;
    assert_eq!(docs.columns.len(), fields.len(), "{}: columns that there are not", T::NAME);
}

/// The numbers of `C1, C3–C5` and the like; other words are no numbers of constraints.
fn numbers(text: &str) -> Vec<String> {
    let number = |text: &str| text.strip_prefix('C').and_then(|digits| digits.parse::<usize>().ok());
    let all = text.split(", ").flat_map(|word| {
        let (first, last) = word.split_once('–').unwrap_or((word, word));
        number(first).zip(number(last)).into_iter().flat_map(|(first, last)| first..=last)
    });
    all.map(|n| format!("C{n}")).collect()
}

/// What is said to constrain a column reads it.
fn constrained_by<T: Table>() {
    let docs = Documentation::of(T::NAME).unwrap();
    let assertions = assertions::<T>();
    let mut found = 0;
    for field in <T::Cols<u32> as ColumnSet<u32>>::FIELDS {
        for id in numbers(&docs.column(field.name).unwrap().constrained_by) {
            let is_read = |ranges: &[Range<usize>]| {
                ranges
                    .iter()
                    .any(|range| range.start < field.offset + field.width && field.offset < range.end)
            };
            let reads = assertions
                .iter()
                .filter(|assertion| assertion.label.id() == id)
                .any(|assertion| is_read(&assertion.reads.local) || is_read(&assertion.reads.next));
            assert!(reads, "{}: {id} does not read {}", T::NAME, field.name);
            found += 1;
        }
    }
    assert!(found > 5, "{}", T::NAME);
}

fn constraints<T: Table>() {
    let docs = Documentation::of(T::NAME).unwrap();
    // Equations and degree by label.
    let mut found: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut degrees = degrees::<T>().into_iter();
    for assertion in assertions::<T>() {
        let (count, degree) = found.entry(assertion.label.0).or_default();
        *count += assertion.equations;
        *degree = degrees.by_ref().take(assertion.equations).fold(*degree, usize::max);
    }
    assert_eq!(degrees.next(), None);
    for (label, equations) in found.iter() {
        let doc = docs.constraint(label).unwrap_or_else(|| panic!("{label} has no formula"));
        assert_eq!((doc.count, doc.degree), *equations, "{label}");
        assert!(doc.formula.chars().count() > 5, "{label}: {}", doc.formula);
    }
    // No row is left over but those of SCALAR_MUL's that VERIFY replaces.
    let stale =
        docs.constraints.iter().filter(|doc| !found.keys().any(|label| docs.constraint(label) == Some(doc)));
    assert_eq!(stale.count(), if T::NAME == "verify" { 3 } else { 0 }, "{}", T::NAME);
}

fn messages<T: Table>() {
    let docs = Documentation::of(T::NAME).unwrap();
    let mut found: BTreeMap<&str, usize> = BTreeMap::new();
    for message in row_messages::<T, KoalaBear>(&vec![KoalaBear::ZERO; T::WIDTH]) {
        *found.entry(message.label.0).or_default() += 1;
    }
    assert_eq!(docs.messages.len(), found.len());
    for (label, times) in found {
        assert_eq!(docs.message(label).unwrap_or_else(|| panic!("{label}")).times, times, "{label}");
    }
}

/// Field elements that look random.
fn random() -> impl FnMut() -> KoalaBear {
    let mut state = 1_u64;
    move || {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        KoalaBear::from_u64(state >> 20)
    }
}

/// On a random row, each assertion changes with every value that it is said to read but for those that cancel out, and with
/// no other.
fn reads<T: Table>() {
    let assertions = assertions::<T>();
    let mut next = random();
    let lengths = [T::WIDTH, T::WIDTH, T::NUM_FLAGS, T::NUM_PARAMETERS];
    let mut values = lengths.map(|length| (0..length).map(|_| next()).collect::<Vec<_>>());
    let place = Place { is_first: KoalaBear::ONE, is_transition: KoalaBear::ONE };
    let evaluate = |[local, next, flags, parameters]: &[Vec<KoalaBear>; 4]| {
        let mut sums = vec![Vec::new(); assertions.len()];
        let found = residues::<T, KoalaBear>(local, next, flags, &place, parameters);
        found.iter().for_each(|residue| sums[residue.assertion].push((residue.coordinate, residue.value)));
        sums
    };
    let before = evaluate(&values);
    let mut cancelled = BTreeSet::new();
    let has = |ranges: &[Range<usize>], i: usize| ranges.iter().any(|range| range.contains(&i));
    for part in 0..4 {
        for i in 0..lengths[part] {
            let old = values[part][i];
            values[part][i] += KoalaBear::TWO;
            let after = evaluate(&values);
            values[part][i] = old;
            for (assertion, (before, after)) in assertions.iter().zip(before.iter().zip(&after)) {
                let reads = &assertion.reads;
                let ranges = [&reads.local, &reads.next, &reads.flags, &reads.parameters][part];
                let said = has(ranges, i);
                let changes = before != after;
                assert!(said || !changes, "{}: {} reads [{part}][{i}]", T::NAME, assertion.label);
                if said && !changes {
                    cancelled.insert(assertion.label.id());
                }
            }
        }
    }
    // λ₁x in y and in the line's drop.
    let expected: &[&str] = if T::NUM_FLAGS == 0 { &[] } else { &["C9"] };
    assert!(cancelled.iter().eq(expected), "{}: {cancelled:?}", T::NAME);
}

/// Residues are the failures of the row checker, in its order.
fn failures<T: Table>() {
    let assertions = assertions::<T>();
    let mut next = random();
    let mut values = |n: usize| (0..n).map(|_| next()).collect::<Vec<_>>();
    let [local, next_row] = [values(T::WIDTH), values(T::WIDTH)];
    let [flags, parameters] = [values(T::NUM_FLAGS), values(T::NUM_PARAMETERS)];
    let place = Place { is_first: KoalaBear::ZERO, is_transition: KoalaBear::ONE };
    let checked = check_table_row::<T, KoalaBear>(&local, &next_row, &flags, &place, &parameters);
    let residues = residues::<T, KoalaBear>(&local, &next_row, &flags, &place, &parameters);
    assert_eq!(checked.len(), assertions.iter().map(|assertion| assertion.equations).sum::<usize>());
    assert_eq!(checked.len(), residues.len());
    for (failure, residue) in checked.iter().zip(&residues) {
        assert_eq!(failure.label, assertions[residue.assertion].label);
        assert_eq!(failure.coordinate, residue.coordinate);
        assert_ne!(residue.value, KoalaBear::ZERO);
    }
}

#[test]
fn columns_are_those_of_the_documentation() {
    for_each_table!(columns);
}

#[test]
fn columns_are_read_by_what_constrains_them() {
    assert_eq!(numbers("C1, C3–C5, instance, M1"), ["C1", "C3", "C4", "C5"]);
    for_each_table!(constrained_by);
}

#[test]
fn constraints_have_their_formula_count_and_degree() {
    for_each_table!(constraints);
}

#[test]
fn messages_are_those_of_the_documentation() {
    for_each_table!(messages);
}

#[test]
fn constraints_read_what_they_are_said_to_read() {
    for_each_table!(reads);
}

#[test]
fn residues_are_the_checkers_failures() {
    for_each_table!(failures);
}

#[test]
fn every_table_is_tested() {
    fn name<T: Table>(names: &mut Vec<&str>) {
        names.push(T::NAME);
    }
    let mut names = Vec::new();
    macro_rules! names {
        ($($table:ty),+) => { $( name::<$table>(&mut names); )+ };
    }
    names!(
        ChipTable<AddChip>,
        ChipTable<DoubleChip>,
        ChipTable<ScalarMulChip>,
        ChipTable<VerifyChip>,
        HalfScalarMulTable,
        HalfVerifyTable
    );
    assert_eq!(names, TABLES);
}
