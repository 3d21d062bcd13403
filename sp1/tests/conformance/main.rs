//! `septic-curve` beside SP1's own code for the same field and curve.

mod field;
mod points;
mod support;
