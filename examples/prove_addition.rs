//! Proves one addition of points with p3-uni-stark, the chip as a plain Plonky3 AIR.
//!
//! `cargo run --release --example prove_addition`

#![allow(clippy::print_stdout, reason = "an example that shows what it does")]

use p3_uni_stark::{prove, verify};
use septic_air::chips::p3::ChipAir;
use septic_air::curve::{KoalaBear, Point};
use septic_air::{AddChip, AddEvent, Claim, ConfigName, TraceChip};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let g = Point::GENERATOR;
    let event = AddEvent { p: g, q: g.double() };
    let trace = AddChip::generate_trace(&[event])?;
    println!("the trace: {} cells, padding included", trace.main.values.len());

    // The statement: a digest of it has to be a public value. Here it is made of nothing but a number; `septic_air::prover`
    // hashes all claims.
    let claims = [Claim { event, out: trace.outputs[0] }];
    let digest = [KoalaBear::new(1)];

    // What the prover runs: the chip's 115 constraints.
    let config = ConfigName::Secure.build();
    let proof = prove(&config, &ChipAir::<AddChip, KoalaBear>::for_prover(digest.len()), trace.main, &digest)
        .map_err(|error| error.to_string())?;

    // What the verifier runs: the same, and the columns that follow from the claims compared with its own.
    let columns = AddChip::instance_columns(&claims, &[], AddChip::height(claims.len())?);
    let air = ChipAir::<AddChip, KoalaBear>::for_verifier(columns, digest.len());
    verify(&config, &air, &proof, &digest).map_err(|error| error.to_string())?;
    println!("G + 2G = 3G: accepted");

    // Another result.
    let wrong = [Claim { event, out: g }];
    let columns = AddChip::instance_columns(&wrong, &[], AddChip::height(wrong.len())?);
    let air = ChipAir::<AddChip, KoalaBear>::for_verifier(columns, digest.len());
    assert!(verify(&config, &air, &proof, &digest).is_err());
    println!("G + 2G = G: rejected");
    Ok(())
}
