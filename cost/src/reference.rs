//! What comparable operations cost elsewhere.

use serde::Serialize;

/// The cost of an operation in another system, or a target for this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Reference {
    /// System and operation.
    pub name: &'static str,
    /// The operation it is comparable with: `add`, `double`, `scalar_mul`, `verify`; or `decompress`, which has no
    /// counterpart here.
    pub operation: &'static str,
    /// Cells of one event.
    pub cells_per_event: usize,
    /// Columns of the chip, if one chip does it.
    pub columns: Option<usize>,
    /// How the number was got, and what to keep in mind when comparing.
    pub note: &'static str,
    /// Where the number is from.
    pub source: &'static str,
}

const PROPOSAL: &str = "proposal of the septic precompiles for SP1: cost tables";
const SP1: &str = "SP1 6.10: sp1-core-executor, artifacts/rv64im_costs.json";

const SECP256K1_ADD: usize = 1599;
const SECP256K1_DOUBLE: usize = 1591;
const ED25519_ADD: usize = 1347;
const ED25519_DECOMPRESS: usize = 1123;

/// All references, by operation.
const REFERENCES: &[Reference] = &[
    Reference {
        name: "proposal: ADD",
        operation: "add",
        cells_per_event: 1599,
        columns: Some(1599),
        note: "placeholder, copied from secp256k1",
        source: PROPOSAL,
    },
    Reference {
        name: "SP1 secp256k1 add",
        operation: "add",
        cells_per_event: SECP256K1_ADD,
        columns: Some(SECP256K1_ADD),
        note: "includes memory access",
        source: SP1,
    },
    Reference {
        name: "SP1 Ed25519 add",
        operation: "add",
        cells_per_event: ED25519_ADD,
        columns: Some(ED25519_ADD),
        note: "includes memory access",
        source: SP1,
    },
    Reference {
        name: "proposal: DOUBLE",
        operation: "double",
        cells_per_event: 1591,
        columns: Some(1591),
        note: "placeholder, copied from secp256k1",
        source: PROPOSAL,
    },
    Reference {
        name: "SP1 secp256k1 double",
        operation: "double",
        cells_per_event: SECP256K1_DOUBLE,
        columns: Some(SECP256K1_DOUBLE),
        note: "includes memory access",
        source: SP1,
    },
    Reference {
        name: "proposal: SCALAR_MUL",
        operation: "scalar_mul",
        cells_per_event: 519_792,
        columns: None,
        note: "placeholder, a multiple of secp256k1",
        source: PROPOSAL,
    },
    Reference {
        name: "stwo ec_op",
        operation: "scalar_mul",
        cells_per_event: 315_504,
        columns: None,
        note: "Stark curve, 252-bit prime field over 31-bit cells",
        source: "stwo-cairo: ec_op builtin",
    },
    Reference {
        name: "proposal: VERIFY",
        operation: "verify",
        cells_per_event: 609_219,
        columns: None,
        note: "placeholder, 381 secp256k1 additions",
        source: PROPOSAL,
    },
    Reference {
        name: "SP1 ecrecover",
        operation: "verify",
        cells_per_event: 512 * SECP256K1_DOUBLE + 255 * SECP256K1_ADD,
        columns: None,
        note: "512 doublings and 255 additions on secp256k1, includes memory access",
        source: SP1,
    },
    Reference {
        name: "SP1 Ed25519 verify",
        operation: "verify",
        cells_per_event: 806 * ED25519_ADD + ED25519_DECOMPRESS,
        columns: None,
        note: "512 doublings (the addition chip), 294 additions, 1 decompression, includes memory access",
        source: SP1,
    },
    Reference {
        name: "winterfell, sextic curve",
        operation: "verify",
        cells_per_event: 28_672,
        columns: None,
        note: "63-bit cells, degree above 5, includes the hash",
        source: "Schnorr verification AIR over winterfell",
    },
    Reference {
        name: "plonky2 EcGFp5",
        operation: "verify",
        cells_per_event: 12_412,
        columns: None,
        note: "64-bit cells, custom gates, s < r not checked",
        source: "EcGFp5 gates for plonky2",
    },
    Reference {
        name: "SP1 Ed25519 decompress",
        operation: "decompress",
        cells_per_event: ED25519_DECOMPRESS,
        columns: Some(ED25519_DECOMPRESS),
        note: "includes memory access; has no counterpart here, points are affine",
        source: SP1,
    },
];

/// All references, ordered by operation.
///
/// Numbers of SP1 are the chips' columns, their own memory-access columns included; the tables behind system calls and
/// memory come on top.
#[must_use]
pub fn references() -> &'static [Reference] {
    REFERENCES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_the_published_ones() {
        let cells = |name: &str| {
            let reference = references().iter().find(|r| r.name == name);
            reference.map(|r| (r.cells_per_event as f64 / 1e4).round() / 100.0)
        };
        assert_eq!(cells("SP1 ecrecover"), Some(1.22));
        assert_eq!(cells("SP1 Ed25519 verify"), Some(1.09));
        assert_eq!(381 * SECP256K1_ADD, 609_219);
    }
}
