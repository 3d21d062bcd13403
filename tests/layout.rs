//! Pins of the chips' layouts: widths, constraints, degrees, columns read on the next row, fingerprints; and that the
//! tables in the chips' documentation say the same as the code.

#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

use std::collections::{BTreeMap, BTreeSet, HashMap};

use septic_chips::check::labels;
use septic_chips::columns::{ColumnSet, Field, Role};
use septic_chips::p3::ChipAir;
use septic_chips::p3_air::symbolic::{
    AirLayout, BaseEntry, BaseLeaf, SymbolicExpr, SymbolicExpression, get_symbolic_constraints,
};
use septic_chips::septic_curve::KoalaBear;
use septic_chips::septic_curve::p3_field::PrimeCharacteristicRing;
use septic_chips::sink::{ConstraintSink, Label};
use septic_chips::{AddChip, Chip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
use septic_cost::ChipCost;
use septic_prover::ConfigName;
use septic_prover::config::ConfigError;

#[path = "../chips/tests/fingerprint.rs"]
mod fingerprint;

use fingerprint::{Assignment, evaluate};

type Expression = SymbolicExpression<KoalaBear>;

/// The constraints of one row as Plonky3 sees them.
fn symbolic<C: Chip>() -> Vec<Expression> {
    let air = ChipAir::<C, KoalaBear>::unbound();
    get_symbolic_constraints(&air, AirLayout::from_air::<KoalaBear>(&air))
}

/// The value of an expression. Shared parts are evaluated once.
fn value(
    expression: &Expression,
    at: &Assignment,
    known: &mut HashMap<*const Expression, KoalaBear>,
) -> KoalaBear {
    let mut of = |shared: &Expression| {
        let address: *const Expression = shared;
        if let Some(&value) = known.get(&address) {
            return value;
        }
        let value = value(shared, at, known);
        known.insert(address, value);
        value
    };
    match expression {
        SymbolicExpr::Leaf(BaseLeaf::Constant(c)) => *c,
        SymbolicExpr::Leaf(BaseLeaf::Variable(v)) => match v.entry {
            BaseEntry::Main { offset: 0 } => at.local[v.index],
            BaseEntry::Main { offset: 1 } => at.next[v.index],
            BaseEntry::Periodic => at.flags[v.index],
            BaseEntry::Public => at.parameters[v.index],
            other => panic!("a chip has no {other:?}"),
        },
        SymbolicExpr::Leaf(selector) => panic!("a chip uses no selectors: {selector:?}"),
        SymbolicExpr::Add { x, y, .. } => of(x) + of(y),
        SymbolicExpr::Sub { x, y, .. } => of(x) - of(y),
        SymbolicExpr::Neg { x, .. } => -of(x),
        SymbolicExpr::Mul { x, y, .. } => of(x) * of(y),
    }
}

/// The variables that occur in an expression.
fn variables(expressions: &[Expression]) -> BTreeSet<(usize, usize)> {
    fn visit(
        expression: &Expression,
        seen: &mut BTreeSet<*const Expression>,
        found: &mut BTreeSet<(usize, usize)>,
    ) {
        if !seen.insert(expression) {
            return;
        }
        match expression {
            SymbolicExpr::Leaf(BaseLeaf::Variable(v)) => {
                if let BaseEntry::Main { offset } = v.entry {
                    found.insert((offset, v.index));
                }
            }
            SymbolicExpr::Leaf(_) => {}
            SymbolicExpr::Neg { x, .. } => visit(x, seen, found),
            SymbolicExpr::Add { x, y, .. }
            | SymbolicExpr::Sub { x, y, .. }
            | SymbolicExpr::Mul { x, y, .. } => {
                visit(x, seen, found);
                visit(y, seen, found);
            }
        }
    }
    let mut found = BTreeSet::new();
    expressions.iter().for_each(|e| visit(e, &mut BTreeSet::new(), &mut found));
    found
}

/// For each column, the labels of the constraints whose value changes with it; on the row itself and on the next.
///
/// At random values a constraint that reads a column depends on it, but for a chance of 2^-29.
fn readers<C: Chip>() -> [Vec<BTreeSet<Label>>; 2] {
    let base = Assignment::of::<C>(100);
    let before = evaluate::<C>(&base);
    let changed = |after: Vec<(Label, KoalaBear)>| {
        before.iter().zip(after).filter(|(b, a)| b.1 != a.1).map(|(b, _)| b.0).collect()
    };
    let local = (0..C::WIDTH).map(|column| {
        let mut assignment = base.clone();
        assignment.local[column] += KoalaBear::ONE;
        changed(evaluate::<C>(&assignment))
    });
    let next = (0..C::WIDTH).map(|column| {
        let mut assignment = base.clone();
        assignment.next[column] += KoalaBear::ONE;
        changed(evaluate::<C>(&assignment))
    });
    [local.collect(), next.collect()]
}

/// The largest symbolic degree of each label's constraints. Columns and flags count 1, parameters and constants 0.
fn symbolic_degrees<C: Chip>() -> BTreeMap<Label, usize> {
    let order = evaluate::<C>(&Assignment::of::<C>(1));
    let symbolic = symbolic::<C>();
    assert_eq!(order.len(), symbolic.len());
    let mut degrees = BTreeMap::new();
    for ((label, _), expression) in order.into_iter().zip(symbolic) {
        let degree = degrees.entry(label).or_default();
        *degree = expression.degree_multiple().max(*degree);
    }
    degrees
}

/// The largest degree of each label's constraints as polynomials: along a random line, a polynomial of degree d has
/// vanishing differences of order d + 1 and no vanishing difference of order d.
fn true_degrees<C: Chip>() -> BTreeMap<Label, usize> {
    const POINTS: u64 = 8;
    let [from, to] = [200, 201].map(Assignment::of::<C>);
    let on_line = |t: u64| {
        let t = KoalaBear::from_u64(t);
        let point = |from: &[KoalaBear], to: &[KoalaBear]| {
            from.iter().zip(to).map(|(&from, &to)| from + t * to).collect::<Vec<_>>()
        };
        evaluate::<C>(&Assignment {
            local: point(&from.local, &to.local),
            next: point(&from.next, &to.next),
            flags: point(&from.flags, &to.flags),
            parameters: from.parameters.clone(),
        })
    };
    let points: Vec<_> = (0..POINTS).map(on_line).collect();
    let mut degrees: BTreeMap<Label, usize> = BTreeMap::new();
    for (i, (label, _)) in points[0].iter().enumerate() {
        let mut differences: Vec<KoalaBear> = points.iter().map(|values| values[i].1).collect();
        let mut order = 0;
        while differences.iter().any(|&x| x != KoalaBear::ZERO) {
            differences = differences.windows(2).map(|pair| pair[1] - pair[0]).collect();
            order += 1;
        }
        assert!(!differences.is_empty(), "{label}: more points are needed");
        let degree = degrees.entry(*label).or_default();
        *degree = (*degree).max(order - 1);
    }
    degrees
}

fn max_degree<C: Chip>() -> usize {
    symbolic::<C>().iter().map(SymbolicExpr::degree_multiple).max().unwrap()
}

fn fields<C: Chip>() -> &'static [Field] {
    <C::Cols<u32> as ColumnSet<u32>>::FIELDS
}

/// Runs `$check::<C>($(argument))` for each chip.
macro_rules! for_each_chip {
    ($check:ident) => {
        $check::<AddChip>();
        $check::<DoubleChip>();
        $check::<ScalarMulChip>();
        $check::<VerifyChip>();
    };
}

/// The numbers that a chip's layout consists of.
#[derive(Debug, PartialEq, Eq)]
struct Layout {
    width: usize,
    rows: usize,
    constraints: usize,
    labels: usize,
    flags: usize,
    parameters: usize,
    next_row_columns: usize,
    instance_columns: usize,
}

fn layout<C: Chip>() -> Layout {
    Layout {
        width: C::WIDTH,
        rows: C::ROWS_PER_EVENT,
        constraints: symbolic::<C>().len(),
        labels: labels::<C>().len(),
        flags: C::NUM_FLAGS,
        parameters: C::NUM_PARAMETERS,
        next_row_columns: C::NEXT_ROW_COLUMNS.len(),
        instance_columns: C::INSTANCE_COLUMNS.len(),
    }
}

#[test]
fn layouts_are_pinned() {
    assert_eq!(
        layout::<AddChip>(),
        Layout {
            width: 53,
            rows: 1,
            constraints: 115,
            labels: 16,
            flags: 0,
            parameters: 0,
            next_row_columns: 0,
            instance_columns: 43,
        }
    );
    assert_eq!(
        layout::<DoubleChip>(),
        Layout {
            width: 37,
            rows: 1,
            constraints: 37,
            labels: 7,
            flags: 0,
            parameters: 0,
            next_row_columns: 0,
            instance_columns: 29,
        }
    );
    assert_eq!(
        layout::<ScalarMulChip>(),
        Layout {
            width: 44,
            rows: 256,
            constraints: 117,
            labels: 31,
            flags: 13,
            parameters: 0,
            next_row_columns: 36,
            instance_columns: 16,
        }
    );
    assert_eq!(
        layout::<VerifyChip>(),
        Layout {
            width: 58,
            rows: 256,
            constraints: 136,
            labels: 44,
            flags: 15,
            parameters: 1,
            next_row_columns: 43,
            instance_columns: 16,
        }
    );
}

#[test]
fn widths_meet_their_targets() {
    let within = [
        (AddChip::<septic_chips::params::Septic>::WIDTH, 55),
        (DoubleChip::<septic_chips::params::Septic>::WIDTH, 38),
        (ScalarMulChip::<septic_chips::params::Septic>::WIDTH, 45),
        (VerifyChip::<septic_chips::params::Septic>::WIDTH, 62),
    ];
    assert!(within.iter().all(|(width, target)| width <= target), "{within:?}");
}

#[test]
fn layout_names_are_those_of_reports() {
    fn check<C: Chip>() {
        assert_eq!(C::LAYOUT, if C::ROWS_PER_EVENT == 1 { "row" } else { "row-per-bit" });
        assert!(C::ROWS_PER_EVENT.is_power_of_two());
    }
    for_each_chip!(check);
}

/// Columns lie side by side, without gaps, under distinct names.
#[test]
fn fields_tile_the_row() {
    fn check<C: Chip>() {
        let mut offset = 0;
        for field in fields::<C>() {
            assert_eq!(field.offset, offset, "{}", field.name);
            offset += field.width;
        }
        assert_eq!(offset, C::WIDTH);
        let names: BTreeSet<_> = fields::<C>().iter().map(|field| field.name).collect();
        assert_eq!(names.len(), fields::<C>().len());
    }
    for_each_chip!(check);
}

/// Both ways of evaluating a chip give the same constraints in the same order.
#[test]
fn plonky3_sees_the_labelled_constraints() {
    fn check<C: Chip>() {
        let counted: usize = labels::<C>().iter().map(|(_, count)| count).sum();
        let symbolic = symbolic::<C>();
        assert_eq!(symbolic.len(), counted);
        assert_eq!(ChipCost::of::<C>().constraints, counted);
        for seed in 10..14 {
            let assignment = Assignment::of::<C>(seed);
            let mut known = HashMap::new();
            let symbolic: Vec<_> = symbolic.iter().map(|e| value(e, &assignment, &mut known)).collect();
            let (names, values): (Vec<_>, Vec<_>) = evaluate::<C>(&assignment).into_iter().unzip();
            assert_eq!(values, symbolic);
            for (label, count) in labels::<C>() {
                assert_eq!(names.iter().filter(|&&name| name == label).count(), count, "{label}");
            }
        }
    }
    for_each_chip!(check);
}

/// Labels are `chip.Cn.what`, numbered without gaps.
#[test]
fn labels_are_numbered() {
    fn check<C: Chip>() {
        let names = labels::<C>();
        let mut numbers = BTreeSet::new();
        for (label, _) in &names {
            let parts: Vec<_> = label.0.split('.').collect();
            assert_eq!((parts.len(), parts[0], parts[1]), (3, C::OPERATION.name(), label.id()), "{label}");
            numbers.insert(parts[1].strip_prefix('C').unwrap().parse::<usize>().unwrap());
        }
        assert!(numbers.iter().copied().eq(1..=names.len()));
    }
    for_each_chip!(check);
}

#[test]
fn degree_is_three_with_gates() {
    fn check<C: Chip>() {
        assert_eq!(max_degree::<C>(), 3);
        assert_eq!(ChipCost::of::<C>().max_degree, 3);
        // No constraint is of a lower degree than it seems, or of a higher one.
        assert_eq!(symbolic_degrees::<C>(), true_degrees::<C>());
        for config in ConfigName::ALL {
            assert!(config.check(&ChipAir::<C, KoalaBear>::unbound(), 10).is_ok());
        }
    }
    for_each_chip!(check);
}

/// One column or one flag.
#[derive(Clone, Copy, Debug)]
struct One<T>(T);

impl<T> ColumnSet<T> for One<T> {
    const WIDTH: usize = 1;
    const FIELDS: &'static [Field] = &[Field { name: "x", offset: 0, width: 1, role: Role::State }];

    fn from_fn(mut f: impl FnMut(usize) -> T) -> Self {
        Self(f(0))
    }

    fn write_to(&self, row: &mut [T])
    where
        T: Clone,
    {
        row[0] = self.0.clone();
    }
}

/// A chip that breaks a rule: 0 asserts x⁴ = 0, 1 asserts flag·x³ = 0, 2 reads the next row without saying so.
#[derive(Clone, Copy, Debug, Default)]
struct Toy<const RULE: usize>;

impl<const RULE: usize> Chip for Toy<RULE> {
    type Cols<T> = One<T>;
    type Flags<T> = One<T>;

    const OPERATION: Operation = Operation::Add;
    const LAYOUT: &'static str = "row";
    const ROWS_PER_EVENT: usize = 2;
    const NEXT_ROW_COLUMNS: &'static [usize] = &[];
    const INSTANCE_COLUMNS: &'static [usize] = &[];
    const NUM_PARAMETERS: usize = 0;

    fn flags(row: usize) -> One<u32> {
        One(u32::from(row == 0))
    }

    fn eval<S: ConstraintSink>(
        sink: &mut S,
        One(x): &One<S::Expr>,
        One(x_next): &One<S::Expr>,
        One(flag): &One<S::Expr>,
        _: &[S::Expr],
    ) {
        let square = x.clone() * x.clone();
        let broken = match RULE {
            0 => square.clone() * square,
            1 => flag.clone() * square * x.clone(),
            _ => x_next.clone() - x.clone(),
        };
        sink.assert_zero(Label("add.C1.toy"), broken);
    }
}

/// A degree above 3 is seen by the pins and refused by every configuration before anything is proven.
#[test]
fn degree_four_is_noticed() {
    fn check<C: Chip>() {
        assert_eq!(max_degree::<C>(), 4);
        assert_eq!(ChipCost::of::<C>().max_degree, 4);
        assert_eq!(symbolic_degrees::<C>(), true_degrees::<C>());
        for config in ConfigName::ALL {
            let refused = config.check(&ChipAir::<C, KoalaBear>::unbound(), 10);
            assert_eq!(refused, Err(ConfigError::DegreeTooHigh { degree: 4, max: 3 }));
        }
    }
    check::<Toy<0>>();
    check::<Toy<1>>();
}

/// The columns of the next row that constraints read: found in the symbolic constraints, and by changing them.
fn next_row_columns<C: Chip>() -> [Vec<usize>; 2] {
    let symbolic = variables(&symbolic::<C>());
    let [_, readers] = readers::<C>();
    [
        symbolic.into_iter().filter(|&(offset, _)| offset == 1).map(|(_, column)| column).collect(),
        (0..C::WIDTH).filter(|&column| !readers[column].is_empty()).collect(),
    ]
}

#[test]
fn next_row_columns_are_exact() {
    fn check<C: Chip>() {
        assert_eq!(next_row_columns::<C>(), [C::NEXT_ROW_COLUMNS; 2]);
    }
    for_each_chip!(check);
    // With an empty declaration Plonky3's view hides the reading, and changing the column shows it.
    assert_eq!(next_row_columns::<Toy<2>>(), [vec![], vec![0]]);
}

#[test]
fn next_row_columns_are_pinned() {
    let names = |declared: &[usize], fields: &[Field]| -> Vec<&str> {
        let unread = fields
            .iter()
            .filter(|f| (f.offset..f.offset + f.width).all(|column| !declared.contains(&column)));
        unread.map(|f| f.name).collect()
    };
    assert_eq!(
        names(<ScalarMulChip as Chip>::NEXT_ROW_COLUMNS, fields::<ScalarMulChip>()),
        ["lambda_2", "limb"]
    );
    assert_eq!(
        names(<VerifyChip as Chip>::NEXT_ROW_COLUMNS, fields::<VerifyChip>()),
        ["lambda_2", "lambda_3", "witness"]
    );
}

#[test]
fn every_column_and_every_flag_is_read() {
    fn check<C: Chip>() {
        let [local, next] = readers::<C>();
        for (column, (local, next)) in local.iter().zip(&next).enumerate() {
            assert!(!local.is_empty() || !next.is_empty(), "column {column}");
        }
        let base = Assignment::of::<C>(300);
        for flag in 0..C::NUM_FLAGS {
            let mut assignment = base.clone();
            assignment.flags[flag] += KoalaBear::ONE;
            assert_ne!(evaluate::<C>(&assignment), evaluate::<C>(&base), "flag {flag}");
        }
    }
    for_each_chip!(check);
}

#[test]
fn instance_columns_are_distinct_columns() {
    fn check<C: Chip>() {
        let columns: BTreeSet<_> = C::INSTANCE_COLUMNS.iter().copied().collect();
        assert_eq!(columns.len(), C::INSTANCE_COLUMNS.len());
        assert!(columns.iter().all(|&column| column < C::WIDTH));
    }
    for_each_chip!(check);
}

/// The documentation of a chip's module.
struct Doc(String);

impl Doc {
    fn new(source: &str) -> Self {
        let lines = source.lines().map_while(|line| line.strip_prefix("//!"));
        Self(lines.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect::<Vec<_>>().join("\n"))
    }

    /// The section under the heading that starts with `## name`, heading included.
    fn section(&self, name: &str) -> &str {
        let start = self.0.find(&format!("## {name}")).unwrap_or_else(|| panic!("no section {name}"));
        let text = &self.0[start..];
        text[3..].find("\n## ").map_or(text, |end| &text[..end + 3])
    }

    /// The first table of a section: its header and its rows.
    fn table(&self, name: &str) -> (Vec<String>, Vec<Vec<String>>) {
        let cells = |line: &str| -> Vec<String> {
            let inner = line.trim().strip_prefix('|').and_then(|line| line.strip_suffix('|')).unwrap();
            inner.split('|').map(|cell| cell.trim().to_owned()).collect()
        };
        let mut lines = self.section(name).lines().filter(|line| line.starts_with('|')).map(cells);
        let header = lines.next().unwrap();
        let rule = lines.next().unwrap();
        assert!(rule.iter().all(|cell| cell.bytes().all(|b| b == b'-')), "{rule:?}");
        let rows: Vec<_> = lines.collect();
        assert!(
            rows.iter().all(|row| row.len() == header.len()),
            "{name}: a row has too few or too many cells"
        );
        (header, rows)
    }
}

/// The number that follows `before` in `text`.
fn number_after(text: &str, before: &str) -> usize {
    let start = text.find(before).unwrap_or_else(|| panic!("{before:?} is missing")) + before.len();
    let digits: String = text[start..].chars().take_while(char::is_ascii_digit).collect();
    digits.parse().unwrap_or_else(|_| panic!("no number after {before:?}"))
}

/// `` `x` `` without the quotes.
fn unquoted(cell: &str) -> &str {
    cell.strip_prefix('`')
        .and_then(|cell| cell.strip_suffix('`'))
        .unwrap_or_else(|| panic!("{cell} is not quoted"))
}

/// `C1–C3, C6` as 1, 2, 3, 6.
fn ids(list: &str) -> Vec<usize> {
    let id = |text: &str| text.trim().strip_prefix('C').unwrap().parse::<usize>().unwrap();
    let range = |part: &str| match part.split_once('–') {
        Some((first, last)) => id(first)..=id(last),
        None => id(part)..=id(part),
    };
    list.split(',').flat_map(range).collect()
}

/// A column as its table describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DocColumn {
    name: String,
    offset: usize,
    width: usize,
    role: String,
    constrained_by: Vec<usize>,
}

fn doc_columns(doc: &Doc) -> Vec<DocColumn> {
    let (header, rows) = doc.table("Columns");
    assert_eq!(header, ["columns", "name", "width", "role", "honest value", "constrained by"]);
    let column = |row: &Vec<String>| {
        let number = |cell: &str| cell.parse::<usize>().unwrap();
        let (offset, end) = match row[0].split_once("..") {
            Some((start, end)) => (number(start), number(end)),
            None => (number(&row[0]), number(&row[0]) + 1),
        };
        assert_eq!(row[2], (end - offset).to_string(), "{row:?}");
        DocColumn {
            name: unquoted(&row[1]).to_owned(),
            offset,
            width: end - offset,
            role: row[3].clone(),
            constrained_by: ids(&row[5]),
        }
    };
    rows.iter().map(column).collect()
}

/// A constraint as its table describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct DocConstraint {
    label: String,
    count: usize,
    degree: usize,
}

fn doc_constraints(doc: &Doc) -> Vec<DocConstraint> {
    let (header, rows) = doc.table("Constraints");
    assert_eq!(
        (header[0].as_str(), &header[2..]),
        ("id", &["formula", "count", "degree", "means"].map(str::to_owned)[..])
    );
    // "label" or "label (`chip.`…)"
    let prefix = match header[1].strip_prefix("label").unwrap().trim() {
        "" => "",
        prefix => unquoted(prefix.strip_prefix('(').and_then(|p| p.strip_suffix("…)")).unwrap()),
    };
    let constraint = |row: &Vec<String>| {
        let label = format!("{prefix}{}", unquoted(&row[1]));
        assert_eq!(label.split('.').nth(1), Some(row[0].as_str()), "id and label differ");
        DocConstraint { label, count: row[3].parse().unwrap(), degree: row[4].parse().unwrap() }
    };
    rows.iter().map(constraint).collect()
}

const ADD: &str = include_str!("../chips/src/add.rs");
const DOUBLE: &str = include_str!("../chips/src/double.rs");
const SCALAR_MUL: &str = include_str!("../chips/src/scalar_mul.rs");
const VERIFY: &str = include_str!("../chips/src/verify.rs");

/// All columns and constraints that the documentation of a chip lists; what VERIFY takes from SCALAR_MUL included.
fn documented<C: Chip>() -> (Doc, Vec<DocColumn>, Vec<DocConstraint>) {
    let source = match C::OPERATION {
        Operation::Add => ADD,
        Operation::Double => DOUBLE,
        Operation::ScalarMul => SCALAR_MUL,
        Operation::Verify => VERIFY,
    };
    let doc = Doc::new(source);
    let (columns, mut constraints) = (doc_columns(&doc), doc_constraints(&doc));
    if C::OPERATION == Operation::Verify {
        let (_, _, mut shared) = documented::<ScalarMulChip>();
        let text = doc.section("Constraints");
        shared.truncate(number_after(text, "C1–C"));
        assert_eq!(number_after(text, "` ("), shared.iter().map(|c| c.count).sum::<usize>());
        for constraint in &mut shared {
            constraint.label = constraint.label.replace("scalar_mul.", "verify.");
        }
        let [first, last] = [shared.first(), shared.last()].map(|c| &c.unwrap().label);
        assert!(text.contains(&format!("with the labels `{first}` to `{last}`")));
        constraints = [shared, constraints].concat();
    }
    (doc, columns, constraints)
}

#[test]
fn documented_columns_are_the_columns() {
    fn check<C: Chip>() {
        let (doc, columns, _) = documented::<C>();
        assert_eq!(number_after(doc.section("Columns"), "## Columns  ("), C::WIDTH);
        let described: Vec<_> =
            columns.iter().map(|c| (c.name.as_str(), c.offset, c.width, c.role.as_str())).collect();
        let actual: Vec<_> =
            fields::<C>().iter().map(|f| (f.name, f.offset, f.width, f.role.name())).collect();
        assert_eq!(described, actual);
    }
    for_each_chip!(check);
}

/// What is said to constrain a column reads it.
#[test]
fn documented_readers_read() {
    fn check<C: Chip>() {
        let (_, columns, _) = documented::<C>();
        let [local, next] = readers::<C>();
        let mut wrong = Vec::new();
        for column in &columns {
            let cells = column.offset..column.offset + column.width;
            let readers: BTreeSet<&str> = cells
                .flat_map(|cell| local[cell].iter().chain(&next[cell]))
                .map(|label| label.id())
                .collect();
            let named = column.constrained_by.iter().map(|id| format!("C{id}"));
            wrong.extend(
                named.filter(|id| !readers.contains(id.as_str())).map(|id| (column.name.clone(), id)),
            );
        }
        assert!(wrong.is_empty(), "{}: {wrong:?}", C::OPERATION);
    }
    for_each_chip!(check);
}

#[test]
fn documented_constraints_are_the_constraints() {
    fn check<C: Chip>() {
        let (doc, _, mut described) = documented::<C>();
        let total = number_after(doc.section("Constraints"), "## Constraints  (");
        assert_eq!(total, symbolic::<C>().len());
        assert_eq!(total, described.iter().map(|c| c.count).sum::<usize>());
        let degrees = symbolic_degrees::<C>();
        let actual = labels::<C>().into_iter().map(|(label, count)| DocConstraint {
            label: label.0.to_owned(),
            count,
            degree: degrees[&label],
        });
        // The table is in the order of numbers, the code asserts where parts are at hand.
        let mut actual: Vec<_> = actual.collect();
        actual.sort_by(|a, b| a.label.cmp(&b.label));
        described.sort_by(|a, b| a.label.cmp(&b.label));
        assert_eq!(described, actual);
    }
    for_each_chip!(check);
}

#[test]
fn documented_costs_are_the_costs() {
    fn check<C: Chip>() {
        let (doc, ..) = documented::<C>();
        let cost = doc.section("Cost");
        assert_eq!(number_after(cost, "## Cost\n"), C::ROWS_PER_EVENT);
        assert_eq!(number_after(cost, if C::ROWS_PER_EVENT == 1 { "row, " } else { "rows, " }), C::WIDTH);
        assert_eq!(number_after(cost, "columns, "), symbolic::<C>().len());
        assert_eq!(number_after(cost, "degree "), max_degree::<C>());
        if C::ROWS_PER_EVENT > 1 {
            let cells = cost.split_once(&format!("degree {}: ", max_degree::<C>())).unwrap().1;
            let cells = cells.split(' ').next().unwrap().replace(',', "");
            assert_eq!(cells, ChipCost::of::<C>().cells_per_event.to_string());
        } else {
            assert!(doc.section("Constraints").contains("Next-row columns: none."));
        }
    }
    for_each_chip!(check);
}
