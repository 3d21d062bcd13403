//! Where constraints go: the one interface between a chip's relations and a proving stack.
//!
//! Relations are written over [`ConstraintSink`] and know no proving stack. An adapter turns a stack's builder into
//! a sink ([`crate::p3`] for Plonky3, [`crate::check`] for plain field values).

use core::fmt;

use septic_curve::{Ring, Septic};

/// Stable name of a constraint: `chip.Cn.what`, the same in docs, code and reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(pub &'static str);

impl Label {
    /// The numbered part of the label: `C4` in `verify.C4.step_x`.
    #[must_use]
    pub fn id(&self) -> &'static str {
        self.0.split('.').nth(1).unwrap_or(self.0)
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

/// Receives the constraints of one row.
///
/// Every asserted expression must vanish on every row of a valid trace. Gates are part of the expression: a sink
/// knows no selectors.
pub trait ConstraintSink {
    /// A number of the constraint system: field value, packed lanes or symbolic expression.
    type Expr: Ring;

    /// The constant `c`, a canonical residue.
    fn constant(&self, c: u32) -> Self::Expr;

    /// Asserts that `x` vanishes.
    fn assert_zero(&mut self, label: Label, x: Self::Expr);

    /// Asserts that each of the seven coordinates of `x` vanishes: seven constraints under one label.
    fn assert_septic(&mut self, label: Label, x: Septic<Self::Expr>);

    /// Product in the extension. A stack with a fused dot product overrides it.
    #[inline]
    fn mul(&self, a: &Septic<Self::Expr>, b: &Septic<Self::Expr>) -> Septic<Self::Expr> {
        a.clone() * b.clone()
    }

    /// Square in the extension.
    #[inline]
    fn square(&self, a: &Septic<Self::Expr>) -> Septic<Self::Expr> {
        a.squared()
    }
}
