//! SP1's constraint builder as the sink that the chips' relations are written for.

use septic_chips::bus::{Bus, Count, MessageSink};
use septic_chips::sink::{ConstraintSink, Label};
use septic_curve::Septic;
use slop_air::AirBuilder;
use slop_algebra::AbstractField;
use sp1_core_executor::ByteOpcode;
use sp1_hypercube::air::SP1AirBuilder;

/// Passes constraints and lookups on to `AB`. SP1 knows no labels.
#[derive(Debug)]
pub struct Sink<'a, AB>(pub &'a mut AB);

impl<AB: AirBuilder> ConstraintSink for Sink<'_, AB> {
    type Expr = AB::Expr;

    fn constant(&self, c: u32) -> AB::Expr {
        AB::Expr::from_canonical_u32(c)
    }

    fn assert_zero(&mut self, _: Label, x: AB::Expr) {
        self.0.assert_zero(x);
    }

    fn assert_septic(&mut self, _: Label, x: Septic<AB::Expr>) {
        x.0.into_iter().for_each(|x| self.0.assert_zero(x));
    }
}

impl<AB: SP1AirBuilder> MessageSink for Sink<'_, AB> {
    type Expr = AB::Expr;

    fn constant(&self, c: u32) -> AB::Expr {
        AB::Expr::from_canonical_u32(c)
    }

    fn message(&mut self, label: Label, bus: Bus, count: Count<AB::Expr>, fields: Vec<AB::Expr>) {
        let Count::Send(count) = count else { panic!("{label}: a precompile only sends") };
        let (opcode, [a, b, c]) = byte_lookup(label, bus, &fields, AB::Expr::zero());
        self.0.send_byte(AB::Expr::from_canonical_u8(opcode as u8), a, b, c, count);
    }
}

/// The lookup in SP1's byte tables that a message stands for: opcode and operands.
///
/// # Panics
/// If the message is for another table.
pub fn byte_lookup<E: Clone>(label: Label, bus: Bus, fields: &[E], zero: E) -> (ByteOpcode, [E; 3]) {
    match (bus, fields) {
        (Bus::Range, [number, bits]) => (ByteOpcode::Range, [number.clone(), bits.clone(), zero]),
        (Bus::Bytes, [first, second]) => (ByteOpcode::U8Range, [zero, first.clone(), second.clone()]),
        _ => panic!("{label}: SP1 has no table for {bus} with {} fields", fields.len()),
    }
}
