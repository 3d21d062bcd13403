//! Column sets: structs of cells and septic elements that are read from and written to flat rows.
//!
//! A row is copied into a struct field by field, so no memory is reinterpreted and no `unsafe` is needed.

use core::fmt;

/// What a column is for. The cost report groups columns by role.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Role {
    /// Inputs and outputs of the operation, or the accumulator of a multi-row operation.
    State,
    /// The point that is added.
    Base,
    /// Slopes of chords and tangents.
    Slope,
    /// Values that exist only to prove something (inverses, carries).
    Witness,
    /// Digits of scalars.
    Bit,
    /// Flags, accumulators of digits, constants of the operation.
    Bookkeeping,
}

impl Role {
    /// All roles, in report order.
    pub const ALL: [Self; 6] =
        [Self::State, Self::Base, Self::Slope, Self::Witness, Self::Bit, Self::Bookkeeping];

    /// Lower-case name used in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Base => "base",
            Self::Slope => "slope",
            Self::Witness => "witness",
            Self::Bit => "bit",
            Self::Bookkeeping => "bookkeeping",
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A named run of columns: one field of a column struct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// Name of the struct's field.
    pub name: &'static str,
    /// Index of its first column.
    pub offset: usize,
    /// Number of columns: 1 for a cell, 7 for a septic element, N times that for an array of N.
    pub width: usize,
    /// What it is for.
    pub role: Role,
}

/// The index of the first column of the field `name`, found at compile time.
///
/// # Panics
/// If no field has that name; in a constant this is a compile error.
#[must_use]
pub const fn column(fields: &[Field], name: &str) -> usize {
    let mut i = 0;
    while i < fields.len() {
        if same(fields[i].name.as_bytes(), name.as_bytes()) {
            return fields[i].offset;
        }
        i += 1;
    }
    panic!("no such column")
}

const fn same(a: &[u8], b: &[u8]) -> bool {
    if a.len() != b.len() {
        return false;
    }
    let mut i = 0;
    while i < a.len() {
        if a[i] != b[i] {
            return false;
        }
        i += 1;
    }
    true
}

/// A struct whose fields lie side by side in a row.
pub trait ColumnSet<T>: Sized {
    /// Number of columns.
    const WIDTH: usize;
    /// The fields in row order.
    const FIELDS: &'static [Field];

    /// Builds the struct from a function of the column index.
    fn from_fn(f: impl FnMut(usize) -> T) -> Self;

    /// Writes the columns into `row`, `WIDTH` cells.
    ///
    /// # Panics
    /// If `row` is shorter than `WIDTH`.
    fn write_to(&self, row: &mut [T])
    where
        T: Clone;
}

/// The kinds of field that [`columns!`] knows.
pub(crate) mod kind {
    pub(crate) use septic_curve::Septic;
    /// One column.
    pub(crate) type Cell<T> = T;
    /// N columns.
    pub(crate) type Cells<T, const N: usize> = [T; N];
    /// 7·N columns.
    pub(crate) type Septics<T, const N: usize> = [Septic<T>; N];
}

/// `first` and `second` side by side, in a buffer of `N`, and their number. For constants of generic types, whose
/// length cannot be the length of an array.
pub(crate) const fn concat_fields<const N: usize>(first: &[Field], second: &[Field]) -> ([Field; N], usize) {
    let mut fields = [Field { name: "", offset: 0, width: 0, role: Role::Bookkeeping }; N];
    let mut at = 0;
    let mut end = 0;
    while at < first.len() {
        fields[at] = first[at];
        end = first[at].offset + first[at].width;
        at += 1;
    }
    while at < first.len() + second.len() {
        fields[at] = second[at - first.len()];
        fields[at].offset += end;
        at += 1;
    }
    (fields, at)
}

/// Declares a column struct. A `Cell` is one column, a `Septic` seven; `Cells<N>` and `Septics<N>` are arrays of N of them.
/// The struct may have one const parameter, for the lengths of its arrays.
macro_rules! columns {
    (
        $(#[$meta:meta])*
        pub struct $Name:ident $(<const $N:ident: usize>)? {
            $( $(#[$field_meta:meta])* $field:ident: $kind:ident $(<$n:tt>)? $role:ident, )+
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct $Name<T $(, const $N: usize)?> {
            $( $(#[$field_meta])* pub $field: $crate::columns::kind::$kind<T $(, $n)?>, )+
        }

        impl<T $(, const $N: usize)?> $crate::columns::ColumnSet<T> for $Name<T $(, $N)?> {
            const WIDTH: usize = 0 $( + $crate::columns::columns!(@width $kind $(<$n>)?) )+;
            const FIELDS: &'static [$crate::columns::Field] = &{
                let mut fields = [
                    $( $crate::columns::Field {
                        name: stringify!($field),
                        offset: 0,
                        width: $crate::columns::columns!(@width $kind $(<$n>)?),
                        role: $crate::columns::Role::$role,
                    } ),+
                ];
                let mut i = 1;
                while i < fields.len() {
                    fields[i].offset = fields[i - 1].offset + fields[i - 1].width;
                    i += 1;
                }
                fields
            };

            #[inline]
            fn from_fn(mut f: impl FnMut(usize) -> T) -> Self {
                let mut at = 0;
                let mut read = || { at += 1; f(at - 1) };
                $( let $field = $crate::columns::columns!(@read $kind $(<$n>)? read); )+
                Self { $( $field ),+ }
            }

            #[inline]
            fn write_to(&self, row: &mut [T])
            where
                T: Clone,
            {
                let mut cells = row[..<Self as $crate::columns::ColumnSet<T>>::WIDTH].iter_mut();
                let mut write = |x: &T| {
                    if let Some(cell) = cells.next() {
                        *cell = x.clone();
                    }
                };
                $( $crate::columns::columns!(@write $kind $(<$n>)? write, self.$field); )+
            }
        }
    };
    (@width Cell) => { 1usize };
    (@width Septic) => { septic_curve::DEGREE };
    (@width Cells<$n:tt>) => { $n };
    (@width Septics<$n:tt>) => { $n * septic_curve::DEGREE };
    (@read Cell $read:ident) => { $read() };
    (@read Septic $read:ident) => { septic_curve::Septic::from_fn(|_| $read()) };
    (@read Cells<$n:tt> $read:ident) => { core::array::from_fn(|_| $read()) };
    (@read Septics<$n:tt> $read:ident) => {
        core::array::from_fn(|_| septic_curve::Septic::from_fn(|_| $read()))
    };
    (@write Cell $write:ident, $value:expr) => { $write(&$value) };
    (@write Septic $write:ident, $value:expr) => { for x in &$value.0 { $write(x); } };
    (@write Cells<$n:tt> $write:ident, $value:expr) => { for x in &$value { $write(x); } };
    (@write Septics<$n:tt> $write:ident, $value:expr) => {
        for x in $value.iter().flat_map(|value| &value.0) { $write(x); }
    };
}

pub(crate) use columns;
