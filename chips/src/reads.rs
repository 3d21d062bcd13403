//! Which cells each constraint reads, and what is left over where one does not vanish.
//!
//! For tools that show traces to people. An *assertion* is one call of a sink: one equation of the base field, or one of
//! the septic extension, which is seven. A label may stand for several assertions.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::ops::{Add, Mul, Neg, Range, Sub};

use septic_curve::Septic;

use crate::check::CheckField;
use crate::columns::ColumnSet;
use crate::sink::{ConstraintSink, Label};
use crate::table::{Place, Table};

/// One assertion of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Assertion {
    /// Its constraint.
    pub label: Label,
    /// Equations of the base field: 1 or 7.
    pub equations: usize,
    /// What it reads.
    pub reads: Reads,
}

/// The indices of what an assertion reads, as increasing ranges that do not touch.
///
/// What an expression mentions counts as read, even if it cancels out. A product of septic elements reads all coordinates of
/// both.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reads {
    /// Columns of the row.
    pub local: Vec<Range<usize>>,
    /// Columns of the next row.
    pub next: Vec<Range<usize>>,
    /// Flags.
    pub flags: Vec<Range<usize>>,
    /// Parameters of the trace.
    pub parameters: Vec<Range<usize>>,
}

/// A set of numbers, known by its bits; `None` is empty. Sums and products are unions.
#[derive(Clone, Debug, Default)]
struct Set(Option<Rc<[u64]>>);

impl Set {
    fn one(i: usize, universe: usize) -> Self {
        let mut words = alloc::vec![0; universe.div_ceil(64)];
        words[i / 64] = 1 << (i % 64);
        Self(Some(words.into()))
    }

    fn union(self, other: Self) -> Self {
        match (self.0, other.0) {
            (Some(a), Some(b)) if Rc::ptr_eq(&a, &b) => Self(Some(a)),
            (Some(a), Some(b)) => Self(Some(a.iter().zip(&*b).map(|(a, b)| a | b).collect())),
            (a, b) => Self(a.or(b)),
        }
    }

    fn contains(&self, i: usize) -> bool {
        self.0.as_ref().is_some_and(|words| words[i / 64] >> (i % 64) & 1 == 1)
    }

    /// The members in `from..to`, less `from`, as ranges.
    fn ranges(&self, from: usize, to: usize) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for i in (from..to).filter(|&i| self.contains(i)).map(|i| i - from) {
            match ranges.last_mut() {
                Some(last) if last.end == i => last.end = i + 1,
                _ => ranges.push(i..i + 1),
            }
        }
        ranges
    }
}

macro_rules! unions {
    ($($trait:ident $method:ident),+) => { $(
        impl $trait for Set {
            type Output = Self;
            fn $method(self, other: Self) -> Self {
                self.union(other)
            }
        }
    )+ };
}
unions!(Add add, Sub sub, Mul mul);

impl Neg for Set {
    type Output = Self;
    fn neg(self) -> Self {
        self
    }
}

/// Unites all coordinates.
fn united(x: &Septic<Set>) -> Set {
    x.0.iter().cloned().fold(Set::default(), Set::union)
}

struct ReadSink(Vec<(Label, usize, Set)>);

impl ConstraintSink for ReadSink {
    type Expr = Set;

    fn constant(&self, _: u32) -> Set {
        Set::default()
    }

    fn assert_zero(&mut self, label: Label, x: Set) {
        self.0.push((label, 1, x));
    }

    fn assert_septic(&mut self, label: Label, x: Septic<Set>) {
        self.0.push((label, x.0.len(), united(&x)));
    }

    fn mul(&self, a: &Septic<Set>, b: &Septic<Set>) -> Septic<Set> {
        let all = united(a).union(united(b));
        Septic::from_fn(|_| all.clone())
    }

    fn square(&self, a: &Septic<Set>) -> Septic<Set> {
        self.mul(a, a)
    }
}

/// The assertions of table `T`, in the order in which they are made, with what each reads.
#[must_use]
pub fn assertions<T: Table>() -> Vec<Assertion> {
    // The row, the next row, flags, parameters.
    let ends = [T::WIDTH, 2 * T::WIDTH, 2 * T::WIDTH + T::NUM_FLAGS];
    let universe = ends[2] + T::NUM_PARAMETERS;
    let one = |i: usize| Set::one(i, universe);
    let local = T::Cols::from_fn(one);
    let next = T::Cols::from_fn(|i| one(ends[0] + i));
    let flags = T::Flags::from_fn(|i| one(ends[1] + i));
    let parameters: Vec<Set> = (ends[2]..universe).map(one).collect();
    let place = Place { is_first: Set::default(), is_transition: Set::default() };
    let mut sink = ReadSink(Vec::new());
    T::eval(&mut sink, &local, &next, &flags, &place, &parameters);
    let assertion = |(label, equations, set): (Label, usize, Set)| Assertion {
        label,
        equations,
        reads: Reads {
            local: set.ranges(0, ends[0]),
            next: set.ranges(ends[0], ends[1]),
            flags: set.ranges(ends[1], ends[2]),
            parameters: set.ranges(ends[2], universe),
        },
    };
    sink.0.into_iter().map(assertion).collect()
}

/// An equation that does not hold on a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Residue<F> {
    /// Index in [`assertions`].
    pub assertion: usize,
    /// Coordinate of a septic equation; `None` for an equation of the base field.
    pub coordinate: Option<usize>,
    /// What should be 0.
    pub value: F,
}

struct ResidueSink<F> {
    zero: F,
    assertion: usize,
    residues: Vec<Residue<F>>,
}

impl<F: CheckField> ResidueSink<F> {
    fn equation(&mut self, coordinate: Option<usize>, value: F) {
        if value != self.zero {
            self.residues.push(Residue { assertion: self.assertion, coordinate, value });
        }
    }
}

impl<F: CheckField> ConstraintSink for ResidueSink<F> {
    type Expr = F;

    fn constant(&self, c: u32) -> F {
        F::from_residue(c)
    }

    fn assert_zero(&mut self, _: Label, x: F) {
        self.equation(None, x);
        self.assertion += 1;
    }

    fn assert_septic(&mut self, _: Label, x: Septic<F>) {
        x.0.into_iter().enumerate().for_each(|(i, x)| self.equation(Some(i), x));
        self.assertion += 1;
    }
}

/// The equations of table `T` that fail on a row; arguments as in
/// [`check_table_row`](crate::check::check_table_row), whose failures these are.
///
/// # Panics
/// If a slice is not as long as the table asks.
#[must_use]
pub fn residues<T: Table, F: CheckField>(
    local: &[F],
    next: &[F],
    flags: &[F],
    place: &Place<F>,
    parameters: &[F],
) -> Vec<Residue<F>> {
    assert!(local.len() == T::WIDTH && next.len() == T::WIDTH, "a row has {} cells", T::WIDTH);
    let mut sink = ResidueSink { zero: F::from_residue(0), assertion: 0, residues: Vec::new() };
    let local = T::Cols::from_fn(|i| local[i]);
    let next = T::Cols::from_fn(|i| next[i]);
    let flags = T::Flags::from_fn(|i| flags[i]);
    T::eval(&mut sink, &local, &next, &flags, place, parameters);
    sink.residues
}
