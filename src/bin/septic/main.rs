//! septic
fn main() {}
