//! What the septic chips cost, and what comparable operations cost elsewhere.
//!
//! Every number about a chip is computed from its columns and its symbolic constraints: [`ChipCost::of`], as about any AIR: [`AirCost::of`]; about a table of
//! the machine from its shape: [`TableCost::of`]. Numbers about other systems are listed with their sources: [`references()`]. [`Report`] puts both side by side as text,
//! Markdown, JSON, CSV and SVG. The output depends on nothing but the chips.
//!
//! ```
//! use septic_chips::AddChip;
//! use septic_cost::ChipCost;
//!
//! let add: ChipCost = ChipCost::of::<AddChip>();
//! assert_eq!(add.cells_per_event, add.columns * add.rows_per_event);
//! assert_eq!(add.max_degree, 3);
//!
//! let batch = add.batch(1000).unwrap();
//! assert_eq!((batch.rows, batch.padding_rows), (1024, 24));
//! ```
//!
//! # Units
//!
//! - A *cell* is one element of the base field in the committed main trace. Flags (periodic columns) are not
//!   committed and cost no cells. A cell of another system may be larger; the reference's note says so.
//! - *Constraints* are equations in the base field; an equation in the septic extension counts as seven.
//! - The *degree* counts every column and every flag as 1, gates included.
//! - *Multiplications* are the distinct products in one row's constraints; equal products count once, products by
//!   constants count.
//! - *Messages* are those sent or received on a bus. The chips stand alone: claims are bound to instance columns, and
//!   no chip sends anything.
//! - *Gas* is SP1's estimate of proving work, see [`sp1_gas`].

#![forbid(unsafe_code)]

mod air;
mod chip;
mod count;
mod error;
mod machine;
mod plot;
mod reference;
mod report;
mod text;

pub use air::{AirCost, Labelling, UNNAMED};
pub use chip::{Batch, ChipCost, sp1_gas};
pub use error::CostError;
pub use machine::{SplitChain, TableCost};
pub use reference::{Reference, references};
pub use report::Report;
