//! Widths, constraints and lookups of the chips.

use septic_sp1::SepticAir;
use septic_sp1::machine::machine;
use septic_sp1::precompile::{SepticAddChip, SepticDoubleChip, SepticScalarMulChip, SepticVerifyChip};
use slop_air::BaseAir;
use sp1_core_executor::UserMode;
use sp1_hypercube::InteractionKind;
use sp1_hypercube::air::MachineAir;
use sp1_primitives::SP1Field;

/// Name, columns, constraints, words of memory, lookups in the byte tables.
#[test]
fn chips() {
    let machine = machine(SepticAir::<SP1Field>::all());
    let measured = machine.chips().iter().map(|chip| {
        let words = chip.num_sends_by_kind(InteractionKind::Memory);
        assert_eq!(words, chip.num_receives_by_kind(InteractionKind::Memory));
        (chip.air.name(), chip.width(), chip.num_constraints, words, chip.num_sent_byte_lookups())
    });
    let expected = [
        ("SyscallDriver", 10, 1, 0, 0),
        ("MemoryDriver", 16, 1, 1, 0),
        ("SepticAdd", 263, 546, 14, 198),
        ("SepticDouble", 157, 302, 7, 120),
        ("SepticScalarMul", 2187, 2314, 11, 205),
        ("SepticVerify", 2951, 3084, 15, 258),
        ("Byte", 6, 0, 0, 0),
        ("Range", 1, 0, 0, 0),
    ];
    assert_eq!(measured.collect::<Vec<_>>(), expected);
}

/// User mode adds 24 columns per buffer.
#[test]
fn user_mode() {
    assert_eq!(BaseAir::<SP1Field>::width(&SepticAddChip::<UserMode>::new()), 263 + 48);
    assert_eq!(BaseAir::<SP1Field>::width(&SepticDoubleChip::<UserMode>::new()), 157 + 24);
    assert_eq!(BaseAir::<SP1Field>::width(&SepticScalarMulChip::<UserMode>::new()), 2187 + 48);
    assert_eq!(BaseAir::<SP1Field>::width(&SepticVerifyChip::<UserMode>::new()), 2951 + 24);
}
