//! Costs an AIR that is not ours: Plonky3's Poseidon2 permutation over KoalaBear, 16 elements wide.
//!
//! `cargo run -p septic-cost --example other_air` prints its cost as JSON.

#![allow(clippy::print_stdout)]

use std::ops::Range;

use p3_koala_bear::{
    GenericPoseidon2LinearLayersKoalaBear, KOALABEAR_POSEIDON2_RC_16_EXTERNAL_FINAL,
    KOALABEAR_POSEIDON2_RC_16_EXTERNAL_INITIAL, KOALABEAR_POSEIDON2_RC_16_INTERNAL, KoalaBear,
};
use p3_poseidon2_air::{Poseidon2Air, RoundConstants};
use septic_cost::{AirCost, Labelling};

/// Elements of the state.
const WIDTH: usize = 16;
/// Full rounds before the partial ones, and after them.
const HALF_FULL: usize = KOALABEAR_POSEIDON2_RC_16_EXTERNAL_INITIAL.len();
/// Partial rounds.
const PARTIAL: usize = KOALABEAR_POSEIDON2_RC_16_INTERNAL.len();

/// Cubes without columns for intermediate values.
type Poseidon2 =
    Poseidon2Air<KoalaBear, GenericPoseidon2LinearLayersKoalaBear, WIDTH, 3, 0, HALF_FULL, PARTIAL>;

/// The state, then what each round leaves: the whole state, or one element in a partial round.
struct Rounds;

impl Labelling for Rounds {
    fn groups(&self) -> Vec<(&str, Range<usize>)> {
        let first = WIDTH + HALF_FULL * WIDTH;
        let partial = first + PARTIAL;
        vec![
            ("input", 0..WIDTH),
            ("full", WIDTH..first),
            ("partial", first..partial),
            ("full", partial..partial + HALF_FULL * WIDTH),
        ]
    }
}

fn cost() -> AirCost {
    let air: Poseidon2 = Poseidon2Air::new(RoundConstants::new(
        KOALABEAR_POSEIDON2_RC_16_EXTERNAL_INITIAL,
        KOALABEAR_POSEIDON2_RC_16_INTERNAL,
        KOALABEAR_POSEIDON2_RC_16_EXTERNAL_FINAL,
    ));
    AirCost::of::<KoalaBear, _>(&air, &Rounds)
}

fn main() -> Result<(), serde_json::Error> {
    println!("{}", serde_json::to_string_pretty(&cost())?);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_are_the_published_ones() {
        let cost = cost();
        assert_eq!(cost.columns, p3_poseidon2_air::num_cols::<WIDTH, 3, 0, HALF_FULL, PARTIAL>());
        // Every column but the input is what a round leaves, and one constraint of degree 3 says so.
        assert_eq!(cost.columns_by_group.get("input"), Some(&WIDTH));
        assert_eq!(cost.columns_by_group.get("full"), Some(&(2 * HALF_FULL * WIDTH)));
        assert_eq!(cost.columns_by_group.get("partial"), Some(&PARTIAL));
        assert_eq!(cost.columns_by_group.len(), 3);
        assert_eq!(cost.constraints, cost.columns - WIDTH);
        assert_eq!((cost.max_degree, cost.quotient_chunks), (3, 2));
        assert_eq!((cost.columns_read, cost.next_columns_read), (cost.columns, 0));
    }
}
