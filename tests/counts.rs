//! Pins what can be counted and does not depend on a machine: shapes of all tables, products of a row, products of native
//! arithmetic. A change here is a change of the circuit or of its cost.
//!
//! Products are those of an instrumented ring: every `×` of two numbers of F_p counts one, products by constants
//! included, additions nothing. Products in the extension are counted as the operators make them: 49 a product, 28 a
//! square, for the fused dot products of a field have the same ones. Products for the buses are not counted.

#![allow(clippy::unwrap_used, reason = "a test stops where an answer is missing")]

use std::cell::Cell;
use std::iter::{Product, Sum};
use std::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};

use septic_air::chips::columns::ColumnSet;
use septic_air::chips::generator::{self, GeneratorTable};
use septic_air::chips::half::{HalfScalarMulTable, HalfVerifyTable};
use septic_air::chips::ladder::ROWS;
use septic_air::chips::p3_field::{Algebra, PrimeCharacteristicRing};
use septic_air::chips::range::{self, RangeTable};
use septic_air::chips::row_per_bit::{BitsTable, LadderClaimsTable};
use septic_air::chips::sink::{ConstraintSink, Label};
use septic_air::chips::table::{ChipTable, Place, Table};
use septic_air::curve::projective::Projective;
use septic_air::curve::{KoalaBear, Septic};
use septic_air::prover::machine::TableKind;
use septic_air::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};

/// What is said when a number has changed.
const ADVICE: &str = "update the pinned numbers and CHANGELOG's Circuit section";

thread_local! {
    static PRODUCTS: Cell<usize> = const { Cell::new(0) };
}

/// Counts `n` products.
fn count(n: usize) {
    PRODUCTS.set(PRODUCTS.get() + n);
}

/// The products that `f` makes.
fn products<T>(f: impl FnOnce() -> T) -> usize {
    let before = PRODUCTS.get();
    f();
    PRODUCTS.get() - before
}

/// A number that counts its products.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counted(KoalaBear);

macro_rules! operators {
    ($($trait:ident $method:ident, $assign:ident $assign_method:ident, $products:literal;)+) => { $(
        impl $trait for Counted {
            type Output = Self;
            fn $method(self, rhs: Self) -> Self {
                count($products);
                Self(self.0.$method(rhs.0))
            }
        }
        impl $trait<KoalaBear> for Counted {
            type Output = Self;
            fn $method(self, rhs: KoalaBear) -> Self {
                self.$method(Self(rhs))
            }
        }
        impl $assign for Counted {
            fn $assign_method(&mut self, rhs: Self) {
                *self = self.$method(rhs);
            }
        }
        impl $assign<KoalaBear> for Counted {
            fn $assign_method(&mut self, rhs: KoalaBear) {
                *self = self.$method(rhs);
            }
        }
    )+ };
}

operators! {
    Add add, AddAssign add_assign, 0;
    Sub sub, SubAssign sub_assign, 0;
    Mul mul, MulAssign mul_assign, 1;
}

impl Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Sum for Counted {
    fn sum<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ZERO, Add::add)
    }
}

impl Product for Counted {
    fn product<I: Iterator<Item = Self>>(iter: I) -> Self {
        iter.fold(Self::ONE, Mul::mul)
    }
}

impl From<KoalaBear> for Counted {
    fn from(x: KoalaBear) -> Self {
        Self(x)
    }
}

impl PrimeCharacteristicRing for Counted {
    type PrimeSubfield = KoalaBear;
    const ZERO: Self = Self(KoalaBear::ZERO);
    const ONE: Self = Self(KoalaBear::ONE);
    const TWO: Self = Self(KoalaBear::TWO);
    const NEG_ONE: Self = Self(KoalaBear::NEG_ONE);
    fn from_prime_subfield(f: KoalaBear) -> Self {
        Self(f)
    }
}

impl Algebra<KoalaBear> for Counted {}

/// Counts constraints.
struct CountSink(usize);

impl ConstraintSink for CountSink {
    type Expr = Counted;
    fn constant(&self, c: u32) -> Counted {
        Counted(KoalaBear::new(c))
    }
    fn assert_zero(&mut self, _: Label, _: Counted) {
        self.0 += 1;
    }
    fn assert_septic(&mut self, _: Label, _: Septic<Counted>) {
        self.0 += 7;
    }
}

/// Products and constraints of a row of a table.
fn row<T: Table>() -> [usize; 2] {
    let one = Counted::ONE;
    let cols = T::Cols::from_fn(|_| one);
    let flags = T::Flags::from_fn(|_| one);
    let place = Place { is_first: one, is_transition: one };
    let mut sink = CountSink(0);
    let products = products(|| {
        T::eval(&mut sink, &cols, &cols, &flags, &place, &vec![one; T::NUM_PARAMETERS]);
    });
    [products, sink.0]
}

/// What is pinned of a table.
#[derive(Debug, PartialEq, Eq)]
struct Pin {
    table: &'static str,
    /// Main columns.
    main: usize,
    /// Permutation columns, of four cells each.
    permutation: usize,
    /// Main and permutation cells of one operation; of the whole table where all operations share it.
    cells: usize,
    /// Constraints of a row, without those of the buses.
    constraints: usize,
    /// All constraints of a row: with those of the buses, and one for each column that claims determine.
    all_constraints: usize,
    degree: usize,
    messages: usize,
    /// Products of the constraints of a row.
    products: usize,
}

fn measured(kind: TableKind) -> Pin {
    // The rows of an operation, or of the whole table.
    let (rows, [products, constraints]) = match kind {
        TableKind::Add => (1, row::<ChipTable<AddChip>>()),
        TableKind::Double => (1, row::<ChipTable<DoubleChip>>()),
        TableKind::ScalarMulBits => (ROWS, row::<BitsTable<ScalarMulChip>>()),
        TableKind::ScalarMulClaims => (1, row::<LadderClaimsTable<ScalarMulChip>>()),
        TableKind::VerifyBits => (ROWS, row::<BitsTable<VerifyChip>>()),
        TableKind::VerifyClaims => (1, row::<LadderClaimsTable<VerifyChip>>()),
        TableKind::ScalarMulHalf => (1, row::<HalfScalarMulTable>()),
        TableKind::VerifyHalf => (1, row::<HalfVerifyTable>()),
        TableKind::Generator => (1 << generator::LOG_HEIGHT, row::<GeneratorTable>()),
        TableKind::Range => (1 << range::LOG_HEIGHT, row::<RangeTable>()),
        other => panic!("{other}: a new table; {ADVICE}"),
    };
    let shape = kind.shape();
    Pin {
        table: kind.name(),
        main: shape.width,
        permutation: shape.permutation_columns,
        cells: shape.cells() * rows,
        constraints,
        all_constraints: shape.constraints,
        degree: shape.degree,
        messages: shape.messages,
        products,
    }
}

const fn pin(table: &'static str, numbers: [usize; 8]) -> Pin {
    let [main, permutation, cells, constraints, all_constraints, degree, messages, products] = numbers;
    Pin { table, main, permutation, cells, constraints, all_constraints, degree, messages, products }
}

#[rustfmt::skip]
const TABLES: &[Pin] = &[
    //                           main    perm.   cells   constr.     all  degree messages products
    pin("add"               , [     53,       0,      53,     115,     158,       3,       0,     537]),
    pin("double"            , [     37,       0,      37,      37,      66,       3,       0,     242]),
    pin("scalar_mul_bits"   , [     46,       2,  13_824,     121,     125,       3,       1,     591]),
    pin("scalar_mul_claims" , [     65,      10,     105,       2,      77,       3,      17,       2]),
    pin("verify_bits"       , [     60,       2,  17_408,     140,     144,       3,       1,     748]),
    pin("verify_claims"     , [     65,      18,     137,       2,      85,       3,      33,       2]),
    pin("scalar_mul.half"   , [  1_993,      16,   2_057,   1_949,   2_024,       3,      29,  27_153]),
    pin("verify.half"       , [  2_635,      30,   2_755,   2_186,   2_302,       3,      56,  30_905]),
    pin("generator"         , [     16,       2, 196_608,       0,      19,       2,       1,       0]),
    pin("range"             , [      4,       3, 131_072,       3,       8,       2,       2,       2]),
];

#[test]
fn tables() {
    let tables: Vec<Pin> = TableKind::ALL.iter().map(|&kind| measured(kind)).collect();
    for (found, pinned) in tables.iter().zip(TABLES) {
        assert_eq!(found, pinned, "{}: {ADVICE}", found.table);
    }
    assert_eq!(tables.len(), TABLES.len(), "the number of tables: {ADVICE}\n{tables:#?}");
}

/// Products of native arithmetic. The inverse is without that of one number of F_p; with it as a power it is
/// `inverse in lanes`. Points in affine coordinates take one inverse in K, two products and a square (doubling: two
/// squares): their code is not generic over the ring.
const NATIVE: &[(&str, usize)] = &[
    ("septic product", 49),
    ("septic product, fused", 49),
    ("septic square", 28),
    ("septic square, fused", 28),
    ("septic inverse", 329),
    ("septic inverse in lanes", 366),
    ("projective addition", 623),
    ("projective doubling", 511),
    ("projective to affine", 464),
];

#[test]
fn native() {
    let x = Septic::<Counted>::from_fn(|i| Counted(KoalaBear::from_usize(i + 1)));
    let point = Projective::<Counted>::identity();
    let found = [
        ("septic product", products(|| x * x)),
        ("septic product, fused", products(|| x.dot_mul(&x))),
        ("septic square", products(|| x.squared())),
        ("septic square, fused", products(|| x.dot_square())),
        ("septic inverse", products(|| x.scale(&x.norm()))),
        ("septic inverse in lanes", products(|| x.inv0_packed())),
        ("projective addition", products(|| point + point)),
        ("projective doubling", products(|| point.double())),
        ("projective to affine", products(|| point.to_affine_or_zero())),
    ];
    assert_eq!(found[..], *NATIVE, "{ADVICE}");
}

/// The counting itself: what can be said beforehand.
#[test]
fn products_are_counted() {
    let x = Counted(KoalaBear::new(3));
    assert_eq!(products(|| x + x - -x), 0);
    assert_eq!(products(|| (x * x) * KoalaBear::TWO), 2);
    assert_eq!(products(|| x.double().square()), 1);
    assert_eq!((x * x).0, KoalaBear::new(9));
}
