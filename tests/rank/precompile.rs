//! The tables for a virtual machine: with inputs, bytes and carries fixed, nothing else can move on a row whose chain runs, and
//! neither can the result.

use septic_chips::Operation;
use septic_chips::table::Table;
use septic_curve::p3_field::PrimeCharacteristicRing;
use septic_curve::{KoalaBear, Point, Scalar, Scalar256};
use septic_trace::precompile::{PrecompileOperation, PrecompileScalarMul, PrecompileVerify};
use septic_trace::{Claim, ScalarMulEvent, VerifyEvent};

use crate::half::{Case, Fixed};
use crate::support::{Random, multiple};

fn case<O: PrecompileOperation>(operation: Operation, name: &'static str, event: O::Event) -> Case {
    let cells = O::generate_claims(&[Claim::of(event)]).unwrap().values;
    Case::of_row::<O::Table>(operation, name, cells, KoalaBear::ZERO, [&[], &[], &[]])
}

fn check<O: PrecompileOperation>(case: &Case, equations: usize) {
    assert_eq!(case.equations(), equations);
    // Inputs and 57 or 77 limbs are fixed; R is not the second time.
    let limbs = if case.operation == Operation::Verify { 77 } else { 57 };
    let unknowns = O::Table::WIDTH - O::Table::INSTANCE_COLUMNS.len() - limbs;
    for (fixed, unknowns) in [(Fixed::ClaimsAndLimbs, unknowns), (Fixed::InputsAndLimbs, unknowns + 14)] {
        assert_eq!(case.found[fixed as usize], (unknowns, 0), "{} {}, {fixed:?}", case.operation, case.name);
    }
}

#[test]
fn scalar_mul_has_no_kernel() {
    let mut random = Random::new(17);
    let p = random.point();
    for (name, s) in
        [("generic", random.scalar()), ("greatest", Scalar256::MAX), ("s = 2", Scalar256::from(2_u64))]
    {
        let case = case::<PrecompileScalarMul>(Operation::ScalarMul, name, ScalarMulEvent { p, s });
        check::<PrecompileScalarMul>(&case, 2008);
    }
}

#[test]
fn verify_has_no_kernel() {
    let mut random = Random::new(18);
    let (a, s, e) = (random.point(), random.scalar(), random.scalar());
    let r_is_identity =
        VerifyEvent { a: multiple(7, Point::GENERATOR), s: (-Scalar::from(21)).into(), e: 3_u64.into() };
    for (name, event) in [
        ("generic", VerifyEvent { a, s, e }),
        ("greatest", VerifyEvent { a, s: Scalar256::MAX, e: Scalar256::MAX }),
    ] {
        check::<PrecompileVerify>(&case::<PrecompileVerify>(Operation::Verify, name, event), 2747);
    }
    // R = 𝒪 is pinned by its flag's constraints; at (0, 0) they have no first order but for the flag's.
    let case = case::<PrecompileVerify>(Operation::Verify, "R = O", r_is_identity);
    let (_, freedom) = case.found[Fixed::ClaimsAndLimbs as usize];
    assert_eq!((case.equations(), freedom), (2747, 0));
}
