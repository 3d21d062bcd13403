//! Builds curve, guest, chips and trace without the standard library.
#![no_std]
#![forbid(unsafe_code)]

use linked_list_allocator::LockedHeap;
use septic_trace::septic_chips::AddChip;
use septic_trace::{AddEvent, TraceChip};

#[global_allocator]
static ALLOCATOR: LockedHeap = LockedHeap::empty();

#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    loop {}
}

/// Uses all crates.
pub extern "C" fn septic_trace_outputs() -> usize {
    let g = septic_curve::Point::GENERATOR;
    let sum = septic_guest::SepticPoint::<septic_guest::Platform>::from(g).double();
    AddChip::generate_trace(&[AddEvent { p: g, q: g }])
        .map_or(0, |trace| trace.outputs.len() + usize::from(sum.is_identity()))
}
