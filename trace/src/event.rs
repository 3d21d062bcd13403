//! Events: the operations that a trace executes, and claims: events with their results.

use core::fmt;

use septic_chips::Operation;
use septic_curve::{Point, Scalar256};

use crate::TraceError;

/// P + Q.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AddEvent {
    /// The first summand.
    pub p: Point,
    /// The second summand.
    pub q: Point,
}

/// 2P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct DoubleEvent {
    /// The point that is doubled.
    pub p: Point,
}

/// s·P.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ScalarMulEvent {
    /// The base.
    pub p: Point,
    /// The scalar, any 256-bit integer.
    pub s: Scalar256,
}

/// s·G + e·A.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct VerifyEvent {
    /// The point beside the generator.
    pub a: Point,
    /// The generator's scalar, any 256-bit integer.
    pub s: Scalar256,
    /// The scalar of `a`, any 256-bit integer.
    pub e: Scalar256,
}

/// What the generators and claims need of an event.
pub trait Execute: Copy + fmt::Debug + Eq + Send + Sync + 'static {
    /// The operation.
    const OPERATION: Operation;

    /// The result, computed natively (not from a trace).
    fn execute(&self) -> Point;

    /// The points of the event with the names of their fields.
    fn points(&self) -> impl Iterator<Item = (&'static str, Point)>;
}

impl Execute for AddEvent {
    const OPERATION: Operation = Operation::Add;

    fn execute(&self) -> Point {
        self.p + self.q
    }

    fn points(&self) -> impl Iterator<Item = (&'static str, Point)> {
        [("p", self.p), ("q", self.q)].into_iter()
    }
}

impl Execute for DoubleEvent {
    const OPERATION: Operation = Operation::Double;

    fn execute(&self) -> Point {
        self.p.double()
    }

    fn points(&self) -> impl Iterator<Item = (&'static str, Point)> {
        [("p", self.p)].into_iter()
    }
}

impl Execute for ScalarMulEvent {
    const OPERATION: Operation = Operation::ScalarMul;

    fn execute(&self) -> Point {
        self.p.mul_vartime(&self.s)
    }

    fn points(&self) -> impl Iterator<Item = (&'static str, Point)> {
        [("p", self.p)].into_iter()
    }
}

impl Execute for VerifyEvent {
    const OPERATION: Operation = Operation::Verify;

    fn execute(&self) -> Point {
        Point::mul_add_vartime(&self.s, &self.e, &self.a)
    }

    fn points(&self) -> impl Iterator<Item = (&'static str, Point)> {
        [("a", self.a)].into_iter()
    }
}

/// An event with its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim<E> {
    /// What was computed.
    pub event: E,
    /// What came out.
    pub out: Point,
}

impl<E: Execute> Claim<E> {
    /// The claim that executing `event` makes.
    pub fn of(event: E) -> Self {
        Self { event, out: event.execute() }
    }

    /// Checks that every point of the claim is on the curve or the identity; `index` is the claim's index in its list.
    ///
    /// Instance columns write the identity as (0, 0) or with a flag, so a finite point that is not on the curve must
    /// not get there.
    ///
    /// # Errors
    /// [`TraceError::NotOnCurve`] for the first point that is not.
    pub fn check(&self, index: usize) -> Result<(), TraceError> {
        for (field, point) in self.event.points().chain([("out", self.out)]) {
            if point.to_affine().is_some_and(|p| !p.is_on_curve()) {
                return Err(TraceError::NotOnCurve { event: index, field });
            }
        }
        Ok(())
    }
}

/// An event of any operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Event {
    /// P + Q.
    Add(AddEvent),
    /// 2P.
    Double(DoubleEvent),
    /// s·P.
    ScalarMul(ScalarMulEvent),
    /// s·G + e·A.
    Verify(VerifyEvent),
}

impl Event {
    /// The operation.
    #[must_use]
    pub const fn operation(&self) -> Operation {
        match self {
            Self::Add(_) => Operation::Add,
            Self::Double(_) => Operation::Double,
            Self::ScalarMul(_) => Operation::ScalarMul,
            Self::Verify(_) => Operation::Verify,
        }
    }

    /// The result, computed natively.
    #[must_use]
    pub fn execute(&self) -> Point {
        match self {
            Self::Add(event) => event.execute(),
            Self::Double(event) => event.execute(),
            Self::ScalarMul(event) => event.execute(),
            Self::Verify(event) => event.execute(),
        }
    }
}

impl Claim<Event> {
    /// As [`Claim::check`].
    ///
    /// # Errors
    /// [`TraceError::NotOnCurve`] for the first point that is not on the curve.
    pub fn check_points(&self, index: usize) -> Result<(), TraceError> {
        let out = self.out;
        match self.event {
            Event::Add(event) => Claim { event, out }.check(index),
            Event::Double(event) => Claim { event, out }.check(index),
            Event::ScalarMul(event) => Claim { event, out }.check(index),
            Event::Verify(event) => Claim { event, out }.check(index),
        }
    }
}

impl From<AddEvent> for Event {
    fn from(event: AddEvent) -> Self {
        Self::Add(event)
    }
}

impl From<DoubleEvent> for Event {
    fn from(event: DoubleEvent) -> Self {
        Self::Double(event)
    }
}

impl From<ScalarMulEvent> for Event {
    fn from(event: ScalarMulEvent) -> Self {
        Self::ScalarMul(event)
    }
}

impl From<VerifyEvent> for Event {
    fn from(event: VerifyEvent) -> Self {
        Self::Verify(event)
    }
}
