//! Evaluates a chip's constraints on field values and names those that do not vanish.
//!
//! Works in every build: no debug assertions, no proving stack.

use alloc::vec::Vec;

use septic_curve::p3_field::{PrimeCharacteristicRing, PrimeField64};
use septic_curve::{KoalaBear, Ring, Septic};

use crate::bus::{Bus, Count, MessageSink};
use crate::chip::Chip;
use crate::columns::ColumnSet;
use crate::sink::{ConstraintSink, Label};
use crate::table::{ChipTable, Place, Table};

/// A field in which constraints can be evaluated.
pub trait CheckField: Ring + Copy + PartialEq {
    /// The canonical residue `c` as a field element.
    fn from_residue(c: u32) -> Self;

    /// Product in the septic extension. A field with a fused dot product overrides it.
    #[must_use]
    fn septic_mul(a: &Septic<Self>, b: &Septic<Self>) -> Septic<Self> {
        *a * *b
    }
}

impl CheckField for KoalaBear {
    #[inline]
    fn from_residue(c: u32) -> Self {
        Self::new(c)
    }

    #[inline]
    fn septic_mul(a: &Septic<Self>, b: &Septic<Self>) -> Septic<Self> {
        a.dot_mul(b)
    }
}

/// A constraint that does not vanish on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Failure {
    /// Which constraint.
    pub label: Label,
    /// Which coordinate of a septic equation; `None` for an equation of the base field.
    pub coordinate: Option<usize>,
}

/// A sink that keeps the labels of constraints that do not vanish.
#[derive(Clone, Debug)]
pub(crate) struct CheckSink<F> {
    zero: F,
    pub(crate) failures: Vec<Failure>,
}

impl<F: CheckField> CheckSink<F> {
    /// No failures so far.
    pub(crate) fn new() -> Self {
        Self { zero: F::from_residue(0), failures: Vec::new() }
    }
}

impl<F: CheckField> ConstraintSink for CheckSink<F> {
    type Expr = F;

    #[inline]
    fn constant(&self, c: u32) -> F {
        F::from_residue(c)
    }

    #[inline]
    fn assert_zero(&mut self, label: Label, x: F) {
        if x != self.zero {
            self.failures.push(Failure { label, coordinate: None });
        }
    }

    #[inline]
    fn assert_septic(&mut self, label: Label, x: Septic<F>) {
        for (i, x) in x.0.into_iter().enumerate() {
            if x != self.zero {
                self.failures.push(Failure { label, coordinate: Some(i) });
            }
        }
    }

    #[inline]
    fn mul(&self, a: &Septic<F>, b: &Septic<F>) -> Septic<F> {
        F::septic_mul(a, b)
    }

    #[inline]
    fn square(&self, a: &Septic<F>) -> Septic<F> {
        F::septic_mul(a, a)
    }
}

/// The constraints of chip `C` that fail on a row, given the row and its successor (`C::WIDTH` cells each), the row's
/// flags (`C::NUM_FLAGS`, see [`field_flags`]) and the trace's parameters (`C::NUM_PARAMETERS`).
///
/// # Panics
/// If a slice is not as long as the chip asks.
#[must_use]
pub fn check_row<C: Chip, F: CheckField>(
    local: &[F],
    next: &[F],
    flags: &[F],
    parameters: &[F],
) -> Vec<Failure> {
    let zero = F::from_residue(0);
    let inner = Place { is_first: zero, is_transition: F::from_residue(1) };
    check_table_row::<ChipTable<C>, F>(local, next, flags, &inner, parameters)
}

/// The constraints of table `T` that fail on a row; arguments as in [`check_row`], and the row's place.
///
/// # Panics
/// If a slice is not as long as the table asks.
#[must_use]
pub fn check_table_row<T: Table, F: CheckField>(
    local: &[F],
    next: &[F],
    flags: &[F],
    place: &Place<F>,
    parameters: &[F],
) -> Vec<Failure> {
    assert!(local.len() == T::WIDTH && next.len() == T::WIDTH, "a row has {} cells", T::WIDTH);
    let mut sink = CheckSink::new();
    let local = T::Cols::from_fn(|i| local[i]);
    let next = T::Cols::from_fn(|i| next[i]);
    let flags = T::Flags::from_fn(|i| flags[i]);
    T::eval(&mut sink, &local, &next, &flags, place, parameters);
    sink.failures
}

/// A message of a row, as field values.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message<F> {
    /// Which message.
    pub label: Label,
    /// Its bus.
    pub bus: Bus,
    /// How often it is put or taken.
    pub count: Count<F>,
    /// Its fields.
    pub fields: Vec<F>,
}

/// The messages of a row of table `T` (`T::WIDTH` cells), also those that are sent no times.
#[must_use]
pub fn row_messages<T: Table, F: CheckField>(local: &[F]) -> Vec<Message<F>> {
    struct Collect<F>(Vec<Message<F>>);
    impl<F: CheckField> MessageSink for Collect<F> {
        type Expr = F;
        fn constant(&self, c: u32) -> F {
            F::from_residue(c)
        }
        fn message(&mut self, label: Label, bus: Bus, count: Count<F>, fields: Vec<F>) {
            self.0.push(Message { label, bus, count, fields });
        }
    }
    let mut sink = Collect(Vec::new());
    T::messages(&mut sink, &T::Cols::from_fn(|i| local[i]));
    sink.0
}

/// The flags of row `row` of an event as field values.
#[must_use]
pub fn field_flags<C: Chip, F: CheckField>(row: usize) -> Vec<F> {
    let mut cells = alloc::vec![0; C::NUM_FLAGS];
    C::flags(row).write_to(&mut cells);
    cells.into_iter().map(F::from_residue).collect()
}

/// The labels of all constraints of chip `C`, in the order in which they are asserted, with their number of equations.
#[must_use]
pub fn labels<C: Chip>() -> Vec<(Label, usize)> {
    /// A ring of one element: every expression is the same.
    #[derive(Clone, Copy)]
    struct Unit;
    macro_rules! unit_op {
        ($($trait:ident $method:ident),+) => { $(
            impl core::ops::$trait for Unit {
                type Output = Self;
                fn $method(self, _: Self) -> Self { self }
            }
        )+ };
    }
    unit_op!(Add add, Sub sub, Mul mul);
    impl core::ops::Neg for Unit {
        type Output = Self;
        fn neg(self) -> Self {
            self
        }
    }
    struct LabelSink(Vec<(Label, usize)>);
    impl LabelSink {
        fn count(&mut self, label: Label, n: usize) {
            match self.0.iter_mut().find(|(known, _)| *known == label) {
                Some((_, count)) => *count += n,
                None => self.0.push((label, n)),
            }
        }
    }
    impl ConstraintSink for LabelSink {
        type Expr = Unit;
        fn constant(&self, _: u32) -> Unit {
            Unit
        }
        fn assert_zero(&mut self, label: Label, _: Unit) {
            self.count(label, 1);
        }
        fn assert_septic(&mut self, label: Label, x: Septic<Unit>) {
            self.count(label, x.0.len());
        }
    }
    let mut sink = LabelSink(Vec::new());
    let cols = C::Cols::from_fn(|_| Unit);
    let flags = C::Flags::from_fn(|_| Unit);
    let parameters = alloc::vec![Unit; C::NUM_PARAMETERS];
    C::eval(&mut sink, &cols, &cols, &flags, &parameters);
    sink.0
}

/// The degree of each constraint of table `T`, in the order in which they are asserted: columns and flags count 1, constants
/// and parameters 0; of a row's place, `is_first` counts 1 and `is_transition` 0, as Plonky3 counts them.
#[must_use]
pub fn degrees<T: Table>() -> Vec<usize> {
    /// An expression known by its degree alone.
    #[derive(Clone, Copy)]
    struct Degree(usize);
    macro_rules! degree_op {
        ($($trait:ident $method:ident $of:expr),+) => { $(
            impl core::ops::$trait for Degree {
                type Output = Self;
                fn $method(self, other: Self) -> Self {
                    let of: fn(usize, usize) -> usize = $of;
                    Self(of(self.0, other.0))
                }
            }
        )+ };
    }
    degree_op!(Add add usize::max, Sub sub usize::max, Mul mul |a, b| a + b);
    impl core::ops::Neg for Degree {
        type Output = Self;
        fn neg(self) -> Self {
            self
        }
    }
    struct DegreeSink(Vec<usize>);
    impl ConstraintSink for DegreeSink {
        type Expr = Degree;
        fn constant(&self, _: u32) -> Degree {
            Degree(0)
        }
        fn assert_zero(&mut self, _: Label, x: Degree) {
            self.0.push(x.0);
        }
        fn assert_septic(&mut self, _: Label, x: Septic<Degree>) {
            self.0.extend(x.0.map(|x| x.0));
        }
    }
    let mut sink = DegreeSink(Vec::new());
    let cols = T::Cols::from_fn(|_| Degree(1));
    let flags = T::Flags::from_fn(|_| Degree(1));
    let place = Place { is_first: Degree(1), is_transition: Degree(0) };
    let parameters = alloc::vec![Degree(0); T::NUM_PARAMETERS];
    T::eval(&mut sink, &cols, &cols, &flags, &place, &parameters);
    sink.0
}

/// A number that changes with every column, flag, constraint, label and message of table `T`, but for accidents: a
/// proof file states it, so that files of other circuits are told from damaged ones. It is no commitment.
#[must_use]
pub fn fingerprint<T: Table>() -> u64 {
    /// splitmix64.
    struct Mix(u64);
    impl Mix {
        fn absorb(&mut self, x: u64) {
            self.0 = (self.0 ^ x).wrapping_add(0x9e37_79b9_7f4a_7c15);
            self.0 = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            self.0 = (self.0 ^ (self.0 >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            self.0 ^= self.0 >> 31;
        }
        fn text(&mut self, text: &str) {
            text.bytes().for_each(|b| self.absorb(b.into()));
        }
        fn next(&mut self) -> KoalaBear {
            self.absorb(1);
            KoalaBear::from_u64(self.0)
        }
    }
    struct Values<'a>(&'a mut Mix);
    impl ConstraintSink for Values<'_> {
        type Expr = KoalaBear;
        fn constant(&self, c: u32) -> KoalaBear {
            KoalaBear::new(c)
        }
        fn assert_zero(&mut self, label: Label, x: KoalaBear) {
            self.0.text(label.0);
            self.0.absorb(x.as_canonical_u64());
        }
        fn assert_septic(&mut self, label: Label, x: Septic<KoalaBear>) {
            x.0.into_iter().for_each(|x| self.assert_zero(label, x));
        }
    }
    let mut mix = Mix(0);
    mix.text(T::NAME);
    for n in [T::WIDTH, T::PERIOD, T::NUM_FLAGS, T::NUM_PARAMETERS] {
        mix.absorb(n as u64);
    }
    for columns in [T::NEXT_ROW_COLUMNS, T::INSTANCE_COLUMNS] {
        mix.absorb(columns.len() as u64);
        columns.iter().for_each(|&c| mix.absorb(c as u64));
    }
    for column in crate::table::flag_columns::<T>() {
        column.into_iter().for_each(|cell| mix.absorb(cell.into()));
    }
    let local = T::Cols::from_fn(|_| mix.next());
    let next = T::Cols::from_fn(|_| mix.next());
    let flags = T::Flags::from_fn(|_| mix.next());
    let place = Place { is_first: mix.next(), is_transition: mix.next() };
    let parameters: Vec<KoalaBear> = (0..T::NUM_PARAMETERS).map(|_| mix.next()).collect();
    T::eval(&mut Values(&mut mix), &local, &next, &flags, &place, &parameters);
    let mut row = alloc::vec![KoalaBear::ZERO; T::WIDTH];
    local.write_to(&mut row);
    for Message { label, bus, count, fields } in row_messages::<T, KoalaBear>(&row) {
        let (sign, count) = match count {
            Count::Send(n) => (0, n),
            Count::Receive(n) => (1, n),
            Count::Provide(n) => (2, n),
        };
        mix.text(label.0);
        mix.text(bus.name());
        mix.absorb(sign);
        mix.absorb(count.as_canonical_u64());
        fields.into_iter().for_each(|x| mix.absorb(x.as_canonical_u64()));
    }
    mix.0
}
