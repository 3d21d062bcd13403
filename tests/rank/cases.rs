//! Honest traces of all cases, and which cells the chips leave free on them.

use std::collections::BTreeSet;
use std::sync::{LazyLock, OnceLock};

use septic_chips::columns::{self, ColumnSet, Field};
use septic_chips::ladder::{DIGITS, limb_on_row};
use septic_chips::params::Septic as Curve;
use septic_chips::relations::evaluate;
use septic_chips::verify::VerifyCols;
use septic_chips::{AddChip, Chip, DoubleChip, Operation, ScalarMulChip, VerifyChip};
use septic_curve::p3_field::{Field as _, PrimeCharacteristicRing};
use septic_curve::{AffinePoint, DEGREE, Fp7, KoalaBear, Point, Scalar, Scalar256, lift_x, params};
use septic_trace::{AddEvent, DoubleEvent, ScalarMulEvent, Trace, TraceChip, VerifyEvent};

use crate::freedom::{self, Cells, Part, Rows};
use crate::jacobian::Jacobian;
use crate::support::{Random, multiple};

/// What is held fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fixed {
    /// Every cell that the claims determine.
    Claims,
    /// The operation's inputs, each in one place; the outputs move.
    Inputs,
    /// Nothing: inputs move too.
    Nothing,
}

impl Fixed {
    pub(crate) const ALL: [Self; 3] = [Self::Claims, Self::Inputs, Self::Nothing];
}

/// Where a case's free cells are, for each of [`Fixed::ALL`].
type Expected = [&'static [Part]; 3];

/// An honest trace of one operation.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) operation: Operation,
    pub(crate) name: &'static str,
    cells: Vec<KoalaBear>,
    pub(crate) jacobian: Jacobian,
    expected: Expected,
    fields: &'static [Field],
    instance_columns: &'static [usize],
    found: [OnceLock<Found>; 3],
}

/// The size of a case's linear system.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) unknowns: usize,
    pub(crate) rank: usize,
}

impl Found {
    /// The dimension of the kernel.
    pub(crate) fn freedom(&self) -> usize {
        self.unknowns - self.rank
    }
}

impl Case {
    /// The block `block` of the trace of `events`, taken as a trace of its own. What the last row of the block before asks
    /// of its first row (C27, and C35 in VERIFY), its own last row asks then.
    fn new<C: TraceChip>(name: &'static str, events: &[C::Event], block: usize, expected: Expected) -> Self {
        Self::of_trace(name, &C::generate_trace(events).unwrap(), block, expected)
    }

    fn of_trace<C: TraceChip>(
        name: &'static str,
        trace: &Trace<C>,
        block: usize,
        expected: Expected,
    ) -> Self {
        assert_eq!(trace.violations(), []);
        let size = C::ROWS_PER_EVENT * C::WIDTH;
        let cells = trace.main.values[block * size..][..size].to_vec();
        Self {
            operation: C::OPERATION,
            name,
            jacobian: Jacobian::at::<C>(&cells, &trace.parameters),
            cells,
            expected,
            fields: <C::Cols<u32> as ColumnSet<u32>>::FIELDS,
            instance_columns: C::INSTANCE_COLUMNS,
            found: Default::default(),
        }
    }

    /// The cells of a field on a row; none if the chip has no such field.
    fn field(&self, name: &str, row: usize) -> core::ops::Range<usize> {
        let Some(field) = self.fields.iter().find(|field| field.name == name) else { return 0..0 };
        let first = row * self.jacobian.width + field.offset;
        first..first + field.width
    }

    /// Whether the event starts from the second offset.
    fn second_offset(&self) -> bool {
        self.field("offset", 0).any(|cell| self.cells[cell] == KoalaBear::ONE)
    }

    /// Unknowns and rank, found once.
    pub(crate) fn found(&self, fixed: Fixed) -> Found {
        *self.found[fixed as usize].get_or_init(|| {
            let known = self.known(fixed);
            let unknowns = known.iter().filter(|known| !**known).count();
            Found { unknowns, rank: self.jacobian.ranks(&known, &[]).iter().sum() }
        })
    }

    /// The directions that are explained.
    pub(crate) fn expected(&self, fixed: Fixed) -> &'static [Part] {
        self.expected[fixed as usize]
    }

    /// The cells that a list names.
    pub(crate) fn cells_of(&self, cells: Cells) -> BTreeSet<usize> {
        let on = |rows: Rows, row: usize| match rows {
            Rows::On(on) => on == row,
            Rows::All => true,
            Rows::Limbs => limb_on_row(row).is_some(),
        };
        let rows = |&(name, rows): &(_, Rows)| {
            (0..self.jacobian.height)
                .filter(move |&row| on(rows, row))
                .flat_map(move |row| self.field(name, row))
        };
        cells.iter().flat_map(rows).collect()
    }

    /// Which cells are known.
    pub(crate) fn known(&self, fixed: Fixed) -> Vec<bool> {
        let width = self.jacobian.width;
        let mut known = vec![false; self.jacobian.cells()];
        if fixed == Fixed::Claims {
            return (0..known.len()).map(|cell| self.instance_columns.contains(&(cell % width))).collect();
        }
        let mut fix = |name: &str, row: usize| known[self.field(name, row)].fill(true);
        match (fixed, self.operation) {
            (Fixed::Claims | Fixed::Nothing, _) => (),
            (Fixed::Inputs, Operation::Add) => {
                ["x_p", "y_p", "x_q", "y_q", "is_real"].into_iter().for_each(|name| fix(name, 0));
            }
            (Fixed::Inputs, Operation::Double) => {
                ["x_p", "y_p", "is_real"].into_iter().for_each(|name| fix(name, 0));
            }
            (Fixed::Inputs, Operation::ScalarMul | Operation::Verify) => {
                ["x_t", "y_t", "identity"].into_iter().for_each(|name| fix(name, 0));
                for row in (0..self.jacobian.height).filter(|&row| limb_on_row(row).is_some()) {
                    fix("limb", row);
                    if self.operation == Operation::Verify {
                        fix("limb", row + 1);
                    }
                }
            }
        }
        known
    }
}

/// The cases of an operation.
pub(crate) fn of(operation: Operation) -> &'static [Case] {
    static ADD: LazyLock<Vec<Case>> = LazyLock::new(add);
    static DOUBLE: LazyLock<Vec<Case>> = LazyLock::new(double);
    static SCALAR_MUL: LazyLock<Vec<Case>> = LazyLock::new(scalar_mul);
    static VERIFY: LazyLock<Vec<Case>> = LazyLock::new(verify);
    match operation {
        Operation::Add => &ADD,
        Operation::Double => &DOUBLE,
        Operation::ScalarMul => &SCALAR_MUL,
        Operation::Verify => &VERIFY,
    }
}

/// A case of an operation by its name.
pub(crate) fn case(operation: Operation, name: &str) -> &'static Case {
    of(operation).iter().find(|case| case.name == name).unwrap()
}

/// One of acc = ±T on row 0 is a tangent, the other asks for the second offset.
#[test]
fn both_offsets_occur() {
    for (operation, names) in
        [(Operation::ScalarMul, ["P = B_0", "P = -B_0"]), (Operation::Verify, ["A = B_0", "A = -B_0"])]
    {
        let second = names.map(|name| case(operation, name).second_offset());
        assert_ne!(second[0], second[1], "{operation}");
    }
}

/// P and Q ≠ ±P with y_q = −y_p: their sum is the third point on a horizontal line.
fn horizontal(random: &mut Random) -> (Point, Point) {
    loop {
        let p = random.point().to_affine().unwrap();
        // (f(x) − f(x_p))/(x − x_p) = x² + x_p·x + x_p² + a.
        let a = Fp7::from_base(KoalaBear::new(params::CURVE_A));
        let square = p.x().dot_square();
        if let Some(root) = (-(square.tripled() + a.doubled().doubled())).try_sqrt() {
            let half = Fp7::from_base(KoalaBear::TWO).inverse();
            let x = (root - p.x()).dot_mul(&half);
            return (p.into(), AffinePoint::new(x, -p.y()).unwrap().into());
        }
    }
}

fn add() -> Vec<Case> {
    let mut random = Random::new(11);
    let mut cases = Vec::new();
    let mut add = |name, p, q, expected| {
        cases.push(Case::new::<AddChip>(name, &[AddEvent { p, q }], 0, expected));
    };
    for name in ["generic", "generic 2", "generic 3"] {
        add(name, random.point(), random.point(), freedom::ADD_FINITE);
    }
    let (p, q) = (random.point(), random.point());
    add("P = Q", p, p, freedom::ADD_FINITE);
    let (left, right) = horizontal(&mut random);
    add("y_q = -y_p", left, right, freedom::ADD_FINITE);
    add("P = -Q", p, -p, freedom::ADD_OPPOSITE);
    add("P = O", Point::Identity, q, freedom::ADD_P_IDENTITY);
    add("Q = O", p, Point::Identity, freedom::ADD_Q_IDENTITY);
    add("P = Q = O", Point::Identity, Point::Identity, freedom::ADD_IDENTITIES);
    cases.push(Case::new::<AddChip>("padding", &[AddEvent { p, q }], 1, freedom::ADD_PADDING));
    cases
}

fn double() -> Vec<Case> {
    let mut random = Random::new(12);
    let mut cases = Vec::new();
    let mut double = |name, p, block, expected| {
        cases.push(Case::new::<DoubleChip>(name, &[DoubleEvent { p }], block, expected));
    };
    for name in ["generic", "generic 2", "generic 3"] {
        double(name, random.point(), 0, freedom::DOUBLE_FINITE);
    }
    double("P = O", Point::Identity, 0, freedom::DOUBLE_IDENTITY);
    double("padding", random.point(), 1, freedom::DOUBLE_PADDING);
    cases
}

fn column<C: Chip>(field: &str) -> usize {
    columns::column(<C::Cols<u32> as ColumnSet<u32>>::FIELDS, field)
}

fn order() -> Scalar256 {
    Scalar256::from(params::ORDER)
}

fn scalar_mul() -> Vec<Case> {
    let mut random = Random::new(13);
    let mut cases = Vec::new();
    let mut mul = |name, p, s, expected| {
        cases.push(Case::new::<ScalarMulChip>(name, &[ScalarMulEvent { p, s }], 0, expected));
    };
    for name in ["generic", "generic 2"] {
        mul(name, random.point(), random.scalar(), freedom::LADDER_FINITE);
    }
    let p = random.point();
    mul("s = 2^256 - 1", p, Scalar256::MAX, freedom::LADDER_FINITE);
    mul("s = 1", p, Scalar256::ONE, freedom::LADDER_FINITE);
    mul("s = 0", p, Scalar256::ZERO, freedom::LADDER_TO_IDENTITY);
    mul("s = r", p, order(), freedom::LADDER_TO_IDENTITY);
    mul("P = O", Point::Identity, random.scalar(), freedom::SCALAR_MUL_OF_IDENTITY);
    // acc = ±T on row 0, and 3·acc = −σT: the line through acc and acc + σT is tangent at acc.
    let offset = params::OFFSETS[0];
    let s = random.scalar();
    mul("P = B_0", offset.into(), s, freedom::LADDER_FINITE);
    mul("P = -B_0", -Point::from(offset), s, freedom::LADDER_FINITE);
    let tangent = [multiple(3, offset), -multiple(3, offset)].into_iter().find(|&p| {
        let x = column::<ScalarMulChip>("x");
        let rows = ScalarMulChip::generate_trace(&[ScalarMulEvent { p, s }]).unwrap().main.values;
        rows[x..][..DEGREE] == rows[ScalarMulChip::<Curve>::WIDTH + x..][..DEGREE]
    });
    mul("3B_0 = -+P", tangent.unwrap(), s, freedom::LADDER_FINITE);
    let event = ScalarMulEvent { p, s: Scalar256::ONE };
    cases.push(Case::new::<ScalarMulChip>("padding", &[event; 3], 3, freedom::LADDER_TO_IDENTITY));
    cases
}

/// A VERIFY trace whose base R is the result, with f(x(3R) − x_H) = 0 at its evaluation point, but x(3R) ≠ x_H: on row
/// 255 acc₂ = 3R.
fn with_root_on_output_row(random: &mut Random) -> Trace<VerifyChip> {
    let (t, x_h) = (KoalaBear::TWO, params::HALF_GENERATOR.x());
    let third = Scalar::from(3_u64).invert().unwrap().into();
    let a = loop {
        let mut u = Fp7::from_fn(|i| if i == 0 { KoalaBear::ZERO } else { random.element() });
        u.0[0] = -evaluate(&u, &t);
        if let Some(triple) = lift_x(x_h + u) {
            break Point::from(triple).mul_vartime(&third);
        }
    };
    let event = VerifyEvent { a, s: Scalar256::ZERO, e: Scalar256::ONE };
    let mut trace = VerifyChip::generate_trace(&[event]).unwrap();
    let rows = trace.main.values.chunks_exact_mut(VerifyChip::<Curve>::WIDTH);
    for row in rows.take(DIGITS) {
        let VerifyCols { x_t, lambda_1, lambda_2, .. } = VerifyCols::from_fn(|i| row[i]);
        let x_2 = lambda_2.dot_square() - lambda_1.dot_square() + x_t;
        row[column::<VerifyChip>("witness")] = evaluate(&(x_2 - x_h), &t).inverse();
    }
    trace.parameters = vec![t];
    trace
}

fn verify() -> Vec<Case> {
    let mut random = Random::new(14);
    let mut cases = Vec::new();
    let mut verify = |name, a, s, e, expected| {
        cases.push(Case::new::<VerifyChip>(name, &[VerifyEvent { a, s, e }], 0, expected));
    };
    for name in ["generic", "generic 2"] {
        verify(name, random.point(), random.scalar(), random.scalar(), freedom::LADDER_FINITE);
    }
    let (a, s, e) = (random.point(), random.scalar(), random.scalar());
    verify("s = e = 2^256 - 1", a, Scalar256::MAX, Scalar256::MAX, freedom::LADDER_FINITE);
    verify("s = 0", a, Scalar256::ZERO, e, freedom::LADDER_FINITE);
    verify("e = 0", a, s, Scalar256::ZERO, freedom::LADDER_FINITE);
    verify("A = O", Point::Identity, s, e, freedom::VERIFY_OF_IDENTITY);
    let minus_one = Scalar256::from(-Scalar::from(1_u64));
    verify("R = O", Point::GENERATOR, minus_one, Scalar256::ONE, freedom::LADDER_TO_IDENTITY);
    let sixth = Scalar256::from(Scalar::from(6_u64).invert().unwrap());
    verify("x_2 = x_H on row 255", a, sixth, Scalar256::ZERO, freedom::VERIFY_LINE_FREE);
    // acc₂ = C_0 + 2R on row 254.
    let half = Scalar256::from(Scalar::from(2_u64).invert().unwrap());
    let to_half_generator = Point::from(params::HALF_GENERATOR) - params::VERIFY_CORRECTIONS[0].into();
    let r = to_half_generator.mul_vartime(&half);
    verify("x_2 = x_H on row 254", r, Scalar256::ZERO, Scalar256::ONE, freedom::VERIFY_LINE_FREE_254);
    let offset = params::OFFSETS[0];
    verify("A = B_0", offset.into(), s, e, freedom::LADDER_FINITE);
    verify("A = -B_0", -Point::from(offset), s, e, freedom::LADDER_FINITE);
    // acc ↦ −τH on row 0: the line through 2·acc + σT and τH is tangent at τH.
    let half = params::HALF_GENERATOR;
    let bases = [multiple(2, half), -multiple(2, half)].map(|h| h + multiple(2, offset));
    let tangent = bases.into_iter().flat_map(|a| [a, -a]).find(|&a| {
        let x = column::<VerifyChip>("x");
        let rows = VerifyChip::generate_trace(&[VerifyEvent { a, s, e }]).unwrap().main.values;
        rows[VerifyChip::<Curve>::WIDTH + x..][..DEGREE] == half.x().0
    });
    verify("acc = -+H on row 1", tangent.unwrap(), s, e, freedom::LADDER_FINITE);
    let trace = with_root_on_output_row(&mut random);
    cases.push(Case::of_trace("f = 0 on row 255", &trace, 0, freedom::VERIFY_WITNESS_FREE));
    let event = VerifyEvent { a, s, e };
    cases.push(Case::new::<VerifyChip>("padding", &[event; 3], 3, freedom::LADDER_TO_IDENTITY));
    cases
}
