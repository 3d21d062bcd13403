//! Plonky3 adapter: any [`Table`] as a `p3_air::Air`, and any [`Chip`](crate::Chip) as the table that sends nothing.
//!
//! Messages are not part of it: the machine's prover adds them. Flags come from periodic columns of the table's period.
//! Parameters are the last public values.
//!
//! # Binding claims
//!
//! [`Table::INSTANCE_COLUMNS`] lists the columns whose every cell follows from the claims. A verifier computes these
//! columns itself and must know that the committed ones are the same. [`TableAir::for_verifier`] adds, for each, a
//! periodic column of the trace's height holding the verifier's values, and the constraint `column = instance`.
//! Committed and instance column both have degree below the height, so an honest prover's difference is the zero
//! polynomial: it adds nothing to the quotient. [`TableAir::for_prover`] therefore replaces each of these constraints
//! by 0 = 0, leaves the instance columns out, and pays nothing for the binding. Both AIRs have the same widths, public values
//! and constraints, hence the same transcript.
//!
//! What the caller must do: make a digest of all claims, in order, and of everything else that instance columns are
//! computed from, a public value. Plonky3 absorbs public values, not periodic columns; without the digest a prover
//! could choose claims after the out-of-domain point. And use a commitment scheme that does not hide: one that adds
//! random rows commits to another polynomial than the instance column, and honest proofs would fail.

use alloc::borrow::Cow;
use alloc::vec::Vec;
use core::any::TypeId;
use core::marker::PhantomData;

use p3_air::symbolic::SymbolicExpression;
use p3_air::{Air, AirBuilder, BaseAir, WindowAccess};
use p3_field::PrimeCharacteristicRing;
use septic_curve::Septic;

use crate::check::degrees;
use crate::columns::ColumnSet;
use crate::sink::{ConstraintSink, Label};
use crate::table::{ChipTable, Place, Table, flag_columns};

/// A Plonky3 builder as a sink.
struct P3Sink<'a, AB>(&'a mut AB);

impl<AB: AirBuilder> ConstraintSink for P3Sink<'_, AB> {
    type Expr = AB::Expr;

    #[inline]
    fn constant(&self, c: u32) -> AB::Expr {
        AB::F::from_u32(c).into()
    }

    #[inline]
    fn assert_zero(&mut self, _: Label, x: AB::Expr) {
        self.0.assert_zero(x);
    }

    #[inline]
    fn assert_septic(&mut self, _: Label, x: Septic<AB::Expr>) {
        self.0.assert_zeros(x.0);
    }

    #[inline]
    fn mul(&self, a: &Septic<AB::Expr>, b: &Septic<AB::Expr>) -> Septic<AB::Expr> {
        a.dot_mul(b)
    }

    #[inline]
    fn square(&self, a: &Septic<AB::Expr>) -> Septic<AB::Expr> {
        a.dot_square()
    }
}

/// What the AIR knows of the instance columns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instance {
    /// None are compared: the chip alone.
    Unbound,
    /// The prover's view: equal by construction, the constraints are 0 = 0.
    Equal,
    /// The verifier's view: compared with periodic columns.
    Compared,
}

/// A chip alone as an AIR over `F`.
pub type ChipAir<C, F> = TableAir<ChipTable<C>, F>;

/// A table as an AIR over `F`.
#[derive(Clone, Debug)]
pub struct TableAir<T, F> {
    instance: Instance,
    /// The table's flags, then the instance columns.
    periodic: Vec<Vec<F>>,
    digest_len: usize,
    table: PhantomData<T>,
}

impl<T: Table, F: PrimeCharacteristicRing> TableAir<T, F> {
    fn new(instance: Instance, columns: impl IntoIterator<Item = Vec<F>>, digest_len: usize) -> Self {
        let flags = flag_columns::<T>().into_iter().map(|c| c.into_iter().map(F::from_u32).collect());
        Self { instance, periodic: flags.chain(columns).collect(), digest_len, table: PhantomData }
    }

    /// The table alone: columns, flags, parameters; claims are bound to nothing.
    #[must_use]
    pub fn unbound() -> Self {
        Self::new(Instance::Unbound, [], 0)
    }

    /// The prover's view. Its first `digest_len` public values are a digest of the claims.
    ///
    /// The caller guarantees that each instance column of the trace equals the verifier's; otherwise the proof will
    /// not verify.
    ///
    /// # Panics
    /// If `digest_len` is 0: claims without a digest are not bound.
    #[must_use]
    pub fn for_prover(digest_len: usize) -> Self {
        assert!(digest_len > 0, "claims need a digest");
        Self::new(Instance::Equal, [], digest_len)
    }

    /// The verifier's view: `columns` are the instance columns in the order of [`Table::INSTANCE_COLUMNS`], each as
    /// long as the trace. The first `digest_len` public values are a digest of the claims.
    ///
    /// # Panics
    /// If the number of columns is not the table's, their lengths differ, or `digest_len` is 0.
    #[must_use]
    pub fn for_verifier(columns: Vec<Vec<F>>, digest_len: usize) -> Self {
        assert!(digest_len > 0, "claims need a digest");
        assert_eq!(columns.len(), T::INSTANCE_COLUMNS.len(), "one column per instance column of the table");
        assert!(
            columns.iter().all(|column| column.len() == columns[0].len()),
            "instance columns are as long as the trace: a shorter one would repeat"
        );
        Self::new(Instance::Compared, columns, digest_len)
    }
}

impl<T: Table, F: PrimeCharacteristicRing + Send + Sync> BaseAir<F> for TableAir<T, F> {
    fn width(&self) -> usize {
        T::WIDTH
    }

    fn num_public_values(&self) -> usize {
        self.digest_len + T::NUM_PARAMETERS
    }

    /// The flags. The instance columns come after them among [`Self::periodic_columns`], but symbolic passes, for which
    /// this number is, need not know them: each stands in one constraint, of degree 1. Plonky3 walks all expressions once
    /// more if there are periodic columns.
    fn num_periodic_columns(&self) -> usize {
        T::NUM_FLAGS
    }

    fn periodic_columns(&self) -> Cow<'_, [Vec<F>]> {
        Cow::Borrowed(&self.periodic)
    }

    fn main_next_row_columns(&self) -> Vec<usize> {
        T::NEXT_ROW_COLUMNS.to_vec()
    }
}

/// Asserts expressions of the degrees of the table's constraints, in their place.
///
/// Plonky3 evaluates an AIR over symbolic expressions each time it proves or verifies, to learn how many constraints there are
/// and of what degree. For a table of thousands of columns that takes as long as a tenth of the proof and a third of the
/// verification, and what it needs to know is in [`degrees`]. Which expressions stand there is of no account: the folders that
/// prover and verifier compute with are not symbolic. Soundness does not rest on the numbers either: with too small ones no
/// honest proof would verify.
fn assert_stand_ins<T: Table, AB: AirBuilder>(builder: &mut AB) {
    let main = builder.main();
    let column: AB::Expr = main.current_slice()[0].into();
    for degree in degrees::<T>() {
        builder.assert_zero((1..degree).fold(column.clone(), |power, _| power * column.clone()));
    }
}

impl<T: Table, AB: AirBuilder> Air<AB> for TableAir<T, AB::F>
where
    AB::F: Send + Sync + 'static,
    AB::Expr: 'static,
{
    #[inline]
    fn eval(&self, builder: &mut AB) {
        let symbolic = TypeId::of::<AB::Expr>() == TypeId::of::<SymbolicExpression<AB::F>>();
        if symbolic && self.instance != Instance::Unbound && T::NUM_FLAGS == 0 {
            assert_stand_ins::<T, AB>(builder);
            for _ in T::INSTANCE_COLUMNS {
                let main = builder.main();
                builder.assert_zero(main.current_slice()[0].into());
            }
            return;
        }
        let main = builder.main();
        let local = T::Cols::<AB::Expr>::from_fn(|i| main.current_slice()[i].into());
        let next = if T::NEXT_ROW_COLUMNS.is_empty() {
            T::Cols::from_fn(|_| AB::Expr::ZERO)
        } else {
            T::Cols::from_fn(|i| main.next_slice()[i].into())
        };
        let periodic = builder.periodic_values();
        let flags = T::Flags::<AB::Expr>::from_fn(|i| periodic[i].into());
        let parameters: Vec<AB::Expr> =
            builder.public_values()[self.digest_len..].iter().map(|&v| v.into()).collect();
        let place = Place { is_first: builder.is_first_row(), is_transition: builder.is_transition() };
        T::eval(&mut P3Sink(builder), &local, &next, &flags, &place, &parameters);

        for (k, &column) in T::INSTANCE_COLUMNS.iter().enumerate() {
            match self.instance {
                Instance::Unbound => break,
                Instance::Equal => builder.assert_zero(AB::Expr::ZERO),
                Instance::Compared => {
                    let main = builder.main();
                    let cell: AB::Expr = main.current_slice()[column].into();
                    // A symbolic pass has the flags only.
                    let difference = match builder.periodic_values().get(T::NUM_FLAGS + k) {
                        Some(&instance) => cell - instance.into(),
                        None => cell,
                    };
                    builder.assert_zero(difference);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use p3_air::symbolic::{AirLayout, get_symbolic_constraints};
    use septic_curve::KoalaBear;

    use super::*;
    use crate::half::{HalfScalarMulTable, HalfVerifyTable};
    use crate::range::RangeTable;
    use crate::row_per_bit::LadderClaimsTable;
    use crate::{AddChip, DoubleChip, ScalarMulChip, VerifyChip};

    /// Plonky3's degrees of the expressions themselves, and what the prover's and the verifier's view show of them.
    fn compare<T: Table>() {
        let degrees_of = |air: &TableAir<T, KoalaBear>| -> Vec<usize> {
            let layout = AirLayout::from_air::<KoalaBear>(air);
            let constraints = get_symbolic_constraints::<KoalaBear, _>(air, layout);
            constraints.iter().map(|constraint| constraint.degree_multiple()).collect()
        };
        let exact = degrees_of(&TableAir::unbound());
        assert_eq!(exact, degrees::<T>(), "{}", T::NAME);
        let columns = T::INSTANCE_COLUMNS.iter().map(|_| alloc::vec![KoalaBear::ZERO; 16]).collect();
        for view in [TableAir::for_prover(8), TableAir::for_verifier(columns, 8)] {
            let shown = degrees_of(&view);
            assert_eq!(shown[..exact.len()], exact, "{}", T::NAME);
            assert_eq!(shown.len(), exact.len() + T::INSTANCE_COLUMNS.len());
            assert!(shown[exact.len()..].iter().all(|&degree| degree <= 1));
        }
    }

    #[test]
    fn views_show_the_degrees_of_the_constraints() {
        compare::<ChipTable<AddChip>>();
        compare::<ChipTable<DoubleChip>>();
        compare::<ChipTable<ScalarMulChip>>();
        compare::<ChipTable<VerifyChip>>();
        compare::<LadderClaimsTable<VerifyChip>>();
        compare::<RangeTable>();
        compare::<HalfScalarMulTable>();
        compare::<HalfVerifyTable>();
    }
}
