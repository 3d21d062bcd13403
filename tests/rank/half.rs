//! The tables with half-size scalars: one row an operation.
//!
//! | fixed | unknown |
//! |-------|---------|
//! | claims and limbs | everything but the instance columns, the entries of the generator, quotient and carries |
//! | claims | everything but the instance columns and the entries |
//! | inputs and limbs | the first, and R |
//!
//! The entries of the generator are what the claims' windows say, by their messages. Quotient and carries are limbs by the
//! range table, and integers have no directions. Without it their equations leave 16 dimensions: 37 cells, 21 equations.

use std::collections::BTreeSet;
use std::fmt::{self, Formatter};
use std::sync::LazyLock;

use septic_chips::Operation;
use septic_chips::columns::{ColumnSet, Field, column};
use septic_chips::sink::Label;
use septic_chips::table::{Place, Table};
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{KoalaBear, Point, Scalar, Scalar256, params};
use septic_trace::half::{HalfOperation, HalfScalarMul, HalfVerify};
use septic_trace::{ScalarMulEvent, VerifyEvent};

use crate::dual::{Collector, Dual};
use crate::elimination::eliminate;
use crate::support::{Random, multiple};

/// What is held fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Fixed {
    /// The instance columns, entries, quotient and carries.
    ClaimsAndLimbs,
    /// The instance columns and entries.
    Claims,
    /// The first without R.
    InputsAndLimbs,
}

impl Fixed {
    pub(crate) const ALL: [Self; 3] = [Self::ClaimsAndLimbs, Self::Claims, Self::InputsAndLimbs];
}

/// Cells: fields, of the first so many columns.
type Cells = &'static [(&'static str, usize)];

/// Directions: the cells of `at` can be chosen at will, and when they do not move, neither does any cell of `along`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Free {
    pub(crate) why: &'static str,
    at: Cells,
    along: Cells,
}

impl Free {
    /// The fields that can be chosen.
    pub(crate) fn names(&self) -> Vec<&'static str> {
        self.at.iter().map(|(name, _)| *name).collect()
    }
}

/// Every column of a field.
const ALL: usize = usize::MAX;

/// Σ coefficient·(change of cell) = 0, with its label.
type Equation = (Label, Vec<(usize, KoalaBear)>);

/// The equations of a row.
fn equations<T: Table>(cells: &[KoalaBear], t: KoalaBear) -> Vec<Equation> {
    let [zero, one] = [KoalaBear::ZERO, KoalaBear::ONE].map(Dual::constant);
    let flags = T::Flags::from_fn(|_| zero);
    let place = Place { is_first: zero, is_transition: one };
    let all = |here: &[Dual]| {
        let mut sink = Collector::default();
        let cols = T::Cols::from_fn(|i| here[i]);
        T::eval(&mut sink, &cols, &cols, &flags, &place, &[Dual::constant(t)]);
        sink.0
    };
    let mut here: Vec<Dual> = cells.iter().map(|&c| Dual::constant(c)).collect();
    let honest = all(&here);
    assert!(honest.iter().all(|(_, dual)| dual.value == KoalaBear::ZERO));
    let mut equations: Vec<Equation> = honest.into_iter().map(|(label, _)| (label, Vec::new())).collect();
    for column in 0..cells.len() {
        here[column].derivative = KoalaBear::ONE;
        for (equation, (_, dual)) in equations.iter_mut().zip(all(&here)) {
            if dual.derivative != KoalaBear::ZERO {
                equation.1.push((column, dual.derivative));
            }
        }
        here[column].derivative = KoalaBear::ZERO;
    }
    equations
}

/// An honest row.
pub(crate) struct Case {
    pub(crate) operation: Operation,
    pub(crate) name: &'static str,
    cells: Vec<KoalaBear>,
    fields: &'static [Field],
    instance_columns: &'static [usize],
    equations: Vec<Equation>,
    expected: [&'static [Free]; 3],
    pub(crate) found: [(usize, usize); 3],
}

impl Case {
    /// Row `row` of the trace of `events`.
    fn new<O: HalfOperation>(
        operation: Operation,
        name: &'static str,
        events: &[O::Event],
        row: usize,
        expected: [&'static [Free]; 3],
    ) -> Self {
        let trace = O::generate(events).unwrap();
        let cells = trace.main.values[row * O::Table::WIDTH..][..O::Table::WIDTH].to_vec();
        Self::of_row::<O::Table>(operation, name, cells, trace.parameter, expected)
    }

    /// A row of table `T`.
    pub(crate) fn of_row<T: Table>(
        operation: Operation,
        name: &'static str,
        cells: Vec<KoalaBear>,
        parameter: KoalaBear,
        expected: [&'static [Free]; 3],
    ) -> Self {
        let mut case = Self {
            operation,
            name,
            equations: equations::<T>(&cells, parameter),
            cells,
            fields: <T::Cols<u32> as ColumnSet<u32>>::FIELDS,
            instance_columns: T::INSTANCE_COLUMNS,
            expected,
            found: [(0, 0); 3],
        };
        case.found = Fixed::ALL.map(|fixed| {
            let known = case.known(fixed);
            (known.iter().filter(|known| !**known).count(), case.freedom(&known, &[]))
        });
        case
    }

    fn cell(&self, name: &str, i: usize) -> KoalaBear {
        self.cells[column(self.fields, name) + i]
    }

    pub(crate) fn expected(&self, fixed: Fixed) -> &'static [Free] {
        self.expected[fixed as usize]
    }

    /// Whether the kernel is larger without the equations of these labels.
    fn carry_rank(&self, labels: &[&str]) -> bool {
        self.freedom(&self.known(Fixed::Claims), labels) > self.found[Fixed::Claims as usize].1
    }

    /// The labels whose equations carry rank alone, and the others.
    pub(crate) fn removals(&self) -> [BTreeSet<&'static str>; 2] {
        let labels: BTreeSet<&'static str> = self.equations.iter().map(|(label, _)| label.0).collect();
        let (alone, rest) = labels.into_iter().partition(|label| self.carry_rank(&[label]));
        [alone, rest]
    }

    pub(crate) fn equations(&self) -> usize {
        self.equations.len()
    }

    fn known(&self, fixed: Fixed) -> Vec<bool> {
        let mut known = vec![false; self.cells.len()];
        self.instance_columns.iter().for_each(|&column| known[column] = true);
        let mut set = |names: &[&str], value: bool| {
            for field in self.fields.iter().filter(|field| names.contains(&field.name)) {
                known[field.offset..field.offset + field.width].fill(value);
            }
        };
        set(&["x_g", "y_g"], true);
        if fixed != Fixed::Claims {
            set(&["quotient", "carry", "low", "quotient_s", "carry_s"], true);
        }
        if fixed == Fixed::InputsAndLimbs {
            set(&["x_r", "y_r"], false);
        }
        known
    }

    /// The dimension of the kernel. Cells of one digit stand side by side, so that rows stay sparse.
    fn freedom(&self, known: &[bool], without: &[&str]) -> usize {
        let mut order: Vec<usize> = (0..self.cells.len()).filter(|&cell| !known[cell]).collect();
        order.sort_by_key(|&cell| self.digit(cell));
        let mut number = vec![usize::MAX; self.cells.len()];
        order.iter().enumerate().for_each(|(i, &cell)| number[cell] = i);
        let rows = self
            .equations
            .iter()
            .filter(|equation| !without.contains(&equation.0.0))
            .map(|(_, terms)| {
                let mut row = vec![KoalaBear::ZERO; order.len()];
                terms.iter().filter(|(cell, _)| !known[*cell]).for_each(|&(cell, c)| row[number[cell]] += c);
                row
            })
            .filter(|row| row.iter().any(|&c| c != KoalaBear::ZERO))
            .collect();
        order.len() - eliminate(rows, order.len()).0
    }

    /// Which digit of the chain, or window of the generator's scalar, a cell belongs to; 0 for the others.
    fn digit(&self, cell: usize) -> usize {
        let field = self.fields.iter().find(|f| (f.offset..f.offset + f.width).contains(&cell)).unwrap();
        let i = cell - field.offset;
        match field.name {
            "lambda_1" | "lambda_2" => 2 + i / 7,
            "lambda_g" => 1 + i / 7,
            "magnitude_g" => 1 + i / 4,
            "magnitude_g_products" => 1 + i / 2,
            "sign" => 2 + i,
            "swap" | "product" | "product_g" | "sign_g" => 1 + i,
            _ => 0,
        }
    }

    /// The cells that a list names.
    fn cells_of(&self, cells: Cells) -> Vec<usize> {
        let mut found = Vec::new();
        for &(name, columns) in cells {
            let field = self.fields.iter().find(|field| field.name == name).unwrap();
            found.extend(field.offset..field.offset + columns.min(field.width));
        }
        found
    }

    /// The kernel has the dimension of the explained directions, moves their cells only, and vanishes with their
    /// coordinates.
    fn check(&self, fixed: Fixed) {
        let parts = self.expected(fixed);
        let at: Vec<usize> = parts.iter().flat_map(|part| self.cells_of(part.at)).collect();
        let along: Vec<usize> = parts.iter().flat_map(|part| self.cells_of(part.along)).collect();
        let context = || format!("{} {}, {fixed:?} fixed", self.operation, self.name);
        let known = self.known(fixed);
        let dimension = self.found[fixed as usize].1;
        assert_eq!(dimension, at.len(), "{}", context());
        let with = |fix: &dyn Fn(usize) -> bool| {
            let known: Vec<bool> =
                known.iter().enumerate().map(|(cell, &known)| known || fix(cell)).collect();
            self.freedom(&known, &[])
        };
        if dimension > 0 {
            let others = with(&|cell| !at.contains(&cell) && !along.contains(&cell));
            assert_eq!(others, dimension, "{}", context());
            assert_eq!(with(&|cell| at.contains(&cell)), 0, "{}", context());
        }
    }
}

/// Without a range table limbs are numbers modulo p, and all but one limb of q can be chosen.
const LIMBS: Free = Free {
    why: "quotient and carries are not limbs",
    at: &[("quotient", 16)],
    along: &[("quotient", ALL), ("carry", ALL)],
};
/// Where points are (0, 0), an equation of a slope reads 0 = 0 to first order.
const NO_SLOPES: Free = Free {
    why: "padding: slopes between points (0, 0)",
    at: &[("lambda_0", ALL), ("lambda_1", ALL), ("lambda_2", ALL), ("lambda_e", ALL)],
    along: &[],
};
const NO_SUMS: Free = Free {
    why: "padding: slopes between points (0, 0)",
    at: &[("lambda_g", ALL), ("lambda_y", ALL), ("lambda_d", ALL)],
    along: &[],
};
/// Don't-care cells of the tables.
const NO_M: Free = Free {
    why: "padding: x_p - x_d = 0 multiplies M, and the product is 0",
    at: &[("x_m", ALL), ("y_m", ALL), ("inverse", ALL)],
    along: &[],
};
/// At (0, 0) the curve equation reads y² = 0. The claims say 0.
const R_DOUBLE_POINT: Free = Free { why: "y_r^2 = 0 is a double point", at: &[("y_r", ALL)], along: &[] };

/// Kernels for each of [`Fixed::ALL`].
type Expected = [&'static [Free]; 3];

const EVENT: Expected = [&[], &[LIMBS], &[]];
const SCALAR_MUL_PADDING: Expected =
    [&[NO_SLOPES, NO_M], &[NO_SLOPES, NO_M, LIMBS], &[NO_SLOPES, NO_M, R_DOUBLE_POINT]];
const VERIFY_PADDING: Expected =
    [&[NO_SLOPES, NO_SUMS, NO_M], &[NO_SLOPES, NO_SUMS, NO_M, LIMBS], &[NO_SLOPES, NO_SUMS, NO_M]];

fn scalar_mul() -> Vec<Case> {
    let mut random = Random::new(15);
    let mut cases = Vec::new();
    let mut mul = |name, p, s| {
        let events = [ScalarMulEvent { p, s }];
        cases.push(Case::new::<HalfScalarMul>(Operation::ScalarMul, name, &events, 0, EVENT));
    };
    let (p, s) = (random.point(), random.scalar());
    mul("generic", p, s);
    mul("s = 2^256 - 1", random.point(), Scalar256::MAX);
    // As other claims: s = ½, 0·P = 𝒪 as 1·P = P as ½·2P.
    mul("s = 1", p, Scalar256::ONE);
    mul("s = 0", p, Scalar256::ZERO);
    mul("P = O", Point::Identity, s);
    mul("P = G, s = 2", Point::GENERATOR, Scalar256::from(2_u64));
    // s = 5: u = 1, w = −5, and the chain begins with M = R − P.
    let quarter = Scalar::from(4_u64).invert().unwrap();
    let start = Point::from(params::OFFSETS[0]).mul_vartime(&quarter.into());
    for (name, p) in [("R - P = B_0", start), ("R - P = -B_0", -start)] {
        mul(name, p, Scalar256::from(5_u64));
    }
    let events = [ScalarMulEvent { p, s }];
    let padding = SCALAR_MUL_PADDING;
    cases.push(Case::new::<HalfScalarMul>(Operation::ScalarMul, "padding", &events, 1, padding));
    cases
}

fn verify() -> Vec<Case> {
    let mut random = Random::new(16);
    let mut cases = Vec::new();
    let mut verify = |name, a, s, e| {
        let events = [VerifyEvent { a, s, e }];
        cases.push(Case::new::<HalfVerify>(Operation::Verify, name, &events, 0, EVENT));
    };
    let (a, s, e) = (random.point(), random.scalar(), random.scalar());
    let g = Point::GENERATOR;
    let minus = |k: u64| Scalar256::from(-Scalar::from(k));
    verify("generic", a, s, e);
    verify("s = e = 2^256 - 1", a, Scalar256::MAX, Scalar256::MAX);
    // As other claims.
    verify("e = 0", a, s, Scalar256::ZERO);
    verify("A = O, s = 0", Point::Identity, Scalar256::ZERO, e);
    verify("R = O, e = 1", multiple(7, g), minus(7), Scalar256::ONE);
    // The first sum is exceptional with B_0: D − A = 4·A, and R = Q_0.
    let quarter = Scalar256::from(Scalar::from(4_u64).invert().unwrap());
    let start = Point::from(params::OFFSETS[0]).mul_vartime(&quarter);
    verify("D - A = B_0", start, Scalar256::from(9_u64), Scalar256::from(5_u64));
    let fifth = Scalar256::from(Scalar::from(5_u64).invert().unwrap());
    let a_of_q = (Point::from(params::GENERATOR_OFFSETS[0]) - multiple(9, g)).mul_vartime(&fifth);
    verify("R = Q_0", a_of_q, Scalar256::from(9_u64), Scalar256::from(5_u64));
    let events = [VerifyEvent { a, s, e }];
    cases.push(Case::new::<HalfVerify>(Operation::Verify, "padding", &events, 1, VERIFY_PADDING));
    cases
}

/// The cases of an operation.
pub(crate) fn of(operation: Operation) -> &'static [Case] {
    static SCALAR_MUL: LazyLock<Vec<Case>> = LazyLock::new(scalar_mul);
    static VERIFY: LazyLock<Vec<Case>> = LazyLock::new(verify);
    match operation {
        Operation::Add | Operation::Double => &[],
        Operation::ScalarMul => &SCALAR_MUL,
        Operation::Verify => &VERIFY,
    }
}

/// Prints the counts of all cases.
pub(crate) fn summary(f: &mut Formatter<'_>) -> fmt::Result {
    writeln!(f, "\n\nhalf-size scalars: unknowns and dimension of the kernel by what is fixed")?;
    let heads = ["claims, limbs", "claims", "inputs, limbs"];
    let [first, second, third] = heads;
    write!(f, "{:<12}{:<22}{:>11}", "operation", "case", "equations")?;
    writeln!(f, "{first:>15}{second:>15}{third:>15}")?;
    let operations = [Operation::ScalarMul, Operation::Verify];
    for case in operations.into_iter().flat_map(of) {
        write!(f, "{:<12}{:<22}{:>11}", case.operation.name(), case.name, case.equations())?;
        for (unknowns, freedom) in case.found {
            write!(f, "{:>15}", format!("{unknowns} - {freedom}"))?;
        }
        writeln!(f)?;
    }
    writeln!(f, "\nhalf-size scalars: free cells")?;
    let mut seen = BTreeSet::new();
    for case in operations.into_iter().flat_map(of) {
        for free in Fixed::ALL.into_iter().flat_map(|fixed| case.expected(fixed)) {
            let line = format!("{:<12}{:<72}{}", case.operation.name(), free.names().join(", "), free.why);
            if seen.insert(line.clone()) {
                writeln!(f, "{line}")?;
            }
        }
    }
    write!(f, "\nhalf-size scalars: removals of constraints")?;
    for operation in operations {
        let [sharp, rest] = removals(operation);
        let (name, sharp) = (operation.name(), sharp.len());
        write!(f, "\n{name:<12}{sharp} raise the kernel alone, {} do not", rest.len())?;
    }
    Ok(())
}

/// [`Case::removals`] of the generic case.
fn removals(operation: Operation) -> &'static [BTreeSet<&'static str>; 2] {
    type Removals = LazyLock<[BTreeSet<&'static str>; 2]>;
    static SCALAR_MUL: Removals = LazyLock::new(|| of(Operation::ScalarMul)[0].removals());
    static VERIFY: Removals = LazyLock::new(|| of(Operation::Verify)[0].removals());
    if operation == Operation::Verify { &VERIFY } else { &SCALAR_MUL }
}

fn check_all(operation: Operation, equations: usize, unknowns: [usize; 3]) {
    for case in of(operation) {
        assert_eq!(case.equations(), equations, "{}", case.name);
        assert_eq!(case.found.map(|(unknowns, _)| unknowns), unknowns, "{}", case.name);
        Fixed::ALL.into_iter().for_each(|fixed| case.check(fixed));
    }
}

#[test]
fn scalar_mul_has_the_explained_kernels() {
    // 1,993 cells, 57 of them the claims', 37 limbs, 14 of R.
    check_all(Operation::ScalarMul, 1949, [1899, 1936, 1913]);
}

#[test]
fn verify_has_the_explained_kernels() {
    // 2,635 cells, 84 of them the claims', 378 of entries, 37 limbs, 14 of R.
    check_all(Operation::Verify, 2186, [2136, 2173, 2150]);
}

fn named(operation: Operation, name: &str) -> &'static Case {
    of(operation).iter().find(|case| case.name == name).unwrap()
}

#[test]
fn both_offsets_occur() {
    for (operation, first, second) in [
        (Operation::ScalarMul, &["generic", "P = O"], &["R - P = B_0", "R - P = -B_0"]),
        (Operation::Verify, &["generic", "e = 0"], &["D - A = B_0", "R = Q_0"]),
    ] {
        assert!(first.iter().all(|name| named(operation, name).cell("offset", 0) == KoalaBear::ZERO));
        assert!(second.iter().all(|name| named(operation, name).cell("offset", 0) == KoalaBear::ONE));
    }
}

/// Without an equation, alone or with others, something is free: the end is on E by the chain and by its own equations, and
/// those make up for one chord. The rest are about cells that the claims fix
/// as well, and `offset`, of two values; each has its forgery in the tables' own tests.
#[test]
fn constraints_carry_rank() {
    fn run(operation: Operation, table: &str, groups: &[&[&str]], expected: &[&str]) {
        let case = &of(operation)[0];
        let mut rest = removals(operation)[1].clone();
        for group in groups {
            let labels: Vec<String> = group.iter().map(|label| format!("{table}.{label}")).collect();
            let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
            assert!(case.carry_rank(&labels), "{labels:?}");
            rest.retain(|label| !labels.contains(label));
        }
        let rest: BTreeSet<&str> = rest.into_iter().map(|label| label.split_once('.').unwrap().1).collect();
        assert_eq!(rest, expected.iter().copied().collect());
    }
    run(
        Operation::ScalarMul,
        "scalar_mul_half",
        &[
            &["C5.sums_x", "C5.sums_y"],
            &["C8.first", "C13.end_x", "C13.end_y"],
            &["C13.end_line", "C13.end_x", "C13.end_y"],
        ],
        &["C1.real", "C2.p_curve", "C3.r_curve", "C4.offset"],
    );
    run(
        Operation::Verify,
        "verify_half",
        &[
            &["C11.sums_x", "C11.sums_y"],
            &["C7.y", "C19.end_x", "C19.end_y"],
            &["C8.d_line", "C19.end_x", "C19.end_y"],
            &["C10.d_x", "C19.end_x", "C19.end_y"],
            &["C10.d_y", "C19.end_x", "C19.end_y"],
            &["C14.first", "C19.end_x", "C19.end_y"],
            &["C19.end_line", "C19.end_x", "C19.end_y"],
        ],
        &["C1.real", "C2.a_curve", "C3.r_curve", "C4.offset"],
    );
}
