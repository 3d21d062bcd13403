//! One event's trace, shown to a person who wants to understand or debug a chip.
//!
//! [`EventTrace`] is the trace of one event in its chip, or in one row of a table with half-size scalars. Its cells can be
//! changed ([`EventTrace::set`]), to see which constraints catch that. [`EventTrace::inspect`] checks it and returns a view of
//! everything: columns with their documentation, constraints with their formulas and the cells that they read, rows with
//! points and scalars decoded, and what is violated. The view can be serialised, and [`Text`] writes it for a terminal.
//!
//! ```
//! use septic_air::files::StatedEvent;
//! use septic_air::inspect::EventTrace;
//! use septic_air::{DoubleEvent, Layout, Point};
//!
//! let event = DoubleEvent { p: Point::GENERATOR }.into();
//! let mut trace = EventTrace::new(&StatedEvent { event, out: None }, Layout::RowPerBit)?;
//! assert!(trace.inspect(0..1).satisfied);
//!
//! trace.set(&"lambda[2]=5".parse()?)?;
//! let inspection = trace.inspect(0..1);
//! assert_eq!(inspection.violations[0].label, "double.C5.tangent");
//! assert_eq!(inspection.constraint("double.C5.tangent").unwrap().formula, "2λ·y_p = 3x_p² + a·(is_real − p_identity)");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Formulas and meanings are those of the chips' documentation ([`septic_chips::docs`]).

mod cell;
mod decode;
mod ladder;
mod points;
mod shape;
mod text;
mod trace;
mod view;
mod violations;

pub use cell::{CellError, NewCell};
pub use text::Text;
pub use trace::EventTrace;
pub use view::{
    AssertionView, CellRun, Change, ConstraintView, Decoded, FieldView, Inspection, MessageView, PointView,
    RowView,
};
pub use violations::{Equation, Violation};
