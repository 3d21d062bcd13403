//! Encoded proofs taken apart: the same fields in the same order as the library's types, but public.

use septic_prover::config::{Proof, Val};
use septic_prover::septic_trace::septic_curve::p3_field::PrimeCharacteristicRing;
use septic_prover::{Bundle, ChipProof, ConfigName, DecodeError};
use serde::{Deserialize, Serialize};

/// Bytes of magic and version before a bundle's fields.
pub(crate) const HEADER: usize = 12;

/// A [`ChipProof`] with its fields in the open.
#[derive(Serialize, Deserialize)]
pub(crate) struct WireProof {
    /// The chip's parameters.
    pub(crate) parameters: Vec<Val>,
    /// Which events start from the second offset.
    pub(crate) second_offsets: Vec<usize>,
    /// The proof of p3-uni-stark.
    pub(crate) stark: Proof,
}

/// A [`Bundle`] with its fields in the open.
#[derive(Serialize, Deserialize)]
pub(crate) struct WireBundle {
    /// The configuration that it states.
    pub(crate) config: ConfigName,
    /// The proofs in the order of `Operation::ALL`.
    pub(crate) parts: [Option<WireProof>; 4],
}

impl WireProof {
    /// Takes a proof apart.
    pub(crate) fn of(proof: &ChipProof) -> Self {
        postcard::from_bytes(&postcard::to_allocvec(proof).expect("encodes")).expect("the same fields")
    }

    /// Puts a proof together.
    pub(crate) fn proof(&self) -> ChipProof {
        postcard::from_bytes(&postcard::to_allocvec(self).expect("encodes")).expect("the same fields")
    }

    /// A copy.
    pub(crate) fn copy(&self) -> Self {
        Self::of(&self.proof())
    }

    /// Sets the grinding witness before the queries. It decides where the codewords are opened and nothing else, so
    /// another witness that leads to the same places makes another valid proof.
    pub(crate) fn set_query_witness(&mut self, witness: Val) {
        self.stark.opening_proof.query_pow_witness = witness;
    }
}

impl WireBundle {
    /// Takes a bundle apart.
    pub(crate) fn of(bundle: &Bundle) -> Self {
        let bytes = bundle.to_bytes().expect("encodes");
        postcard::from_bytes(&bytes[HEADER..]).expect("the same fields")
    }

    /// Puts a bundle together.
    ///
    /// # Errors
    /// If the bytes are not those of a bundle.
    pub(crate) fn bundle(&self, header: &[u8]) -> Result<Bundle, DecodeError> {
        let bytes = postcard::to_extend(self, header.to_vec()).expect("encodes");
        Bundle::from_bytes(&bytes)
    }

    /// The bytes of a bundle without its grinding witnesses before the queries.
    pub(crate) fn without_query_witnesses(bundle: &Bundle) -> Vec<u8> {
        let mut wire = Self::of(bundle);
        wire.parts.iter_mut().flatten().for_each(|part| part.set_query_witness(Val::ZERO));
        postcard::to_allocvec(&wire).expect("encodes")
    }
}
