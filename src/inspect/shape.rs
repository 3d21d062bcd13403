//! What there is to know of a table, without its type.

use crate::chips::check::{Message, row_messages};
use crate::chips::columns::{ColumnSet, Field};
use crate::chips::docs::Documentation;
use crate::chips::reads::{Assertion, Residue, assertions, residues};
use crate::chips::table::{Place, Table};
use crate::curve::KoalaBear;
use crate::curve::p3_field::PrimeCharacteristicRing;

/// A row with everything that constraints read.
#[derive(Clone, Copy, Debug)]
pub(super) struct Row<'a> {
    pub(super) local: &'a [KoalaBear],
    pub(super) next: &'a [KoalaBear],
    pub(super) flags: &'a [KoalaBear],
    pub(super) parameters: &'a [KoalaBear],
}

/// A table.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) name: &'static str,
    pub(super) width: usize,
    pub(super) fields: &'static [Field],
    pub(super) flag_fields: &'static [Field],
    pub(super) period: usize,
    pub(super) instance_columns: &'static [usize],
    pub(super) assertions: Vec<Assertion>,
    pub(super) documentation: Documentation,
    /// The flags of a row.
    pub(super) flags: fn(usize) -> Vec<KoalaBear>,
    pub(super) residues: fn(Row<'_>) -> Vec<Residue<KoalaBear>>,
    pub(super) messages: fn(&[KoalaBear]) -> Vec<Message<KoalaBear>>,
}

fn flags<T: Table>(row: usize) -> Vec<KoalaBear> {
    let mut cells = vec![0; T::NUM_FLAGS];
    T::flags(row % T::PERIOD).write_to(&mut cells);
    cells.into_iter().map(KoalaBear::new).collect()
}

/// Chips and half-size tables do not ask where a row stands in the trace.
fn inner_residues<T: Table>(row: Row<'_>) -> Vec<Residue<KoalaBear>> {
    let place = Place { is_first: KoalaBear::ZERO, is_transition: KoalaBear::ONE };
    residues::<T, KoalaBear>(row.local, row.next, row.flags, &place, row.parameters)
}

impl Shape {
    pub(super) fn of<T: Table>() -> Self {
        Self {
            name: T::NAME,
            width: T::WIDTH,
            fields: <T::Cols<u32> as ColumnSet<u32>>::FIELDS,
            flag_fields: <T::Flags<u32> as ColumnSet<u32>>::FIELDS,
            period: T::PERIOD,
            instance_columns: T::INSTANCE_COLUMNS,
            assertions: assertions::<T>(),
            documentation: Documentation::of(T::NAME).unwrap_or_default(),
            flags: flags::<T>,
            residues: inner_residues::<T>,
            messages: row_messages::<T, KoalaBear>,
        }
    }

    /// The field of this name.
    pub(super) fn field(&self, name: &str) -> Option<&'static Field> {
        self.fields.iter().find(|field| field.name == name)
    }
}
