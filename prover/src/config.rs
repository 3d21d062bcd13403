//! Proof configurations: fixed, named parameter sets and their security in bits.
//!
//! A configuration is chosen by name ([`ConfigName`]). Prover and verifier both build it from the constants in
//! this module; nothing of it is ever read from a proof.
//!
//! All configurations share one set of types: KoalaBear with its degree-4 extension for challenges, Poseidon2
//! of width 16 with the published round constants for the Merkle trees and the Fiat–Shamir sponge, and the
//! non-hiding two-adic FRI commitment scheme at blow-up 2. Proofs are **not** zero-knowledge.
//!
//! # The named configurations
//!
//! | parameter                         | `secure` | `benchmark` | `testing` |
//! | --------------------------------- | -------- | ----------- | --------- |
//! | blow-up                           | 2        | 2           | 2         |
//! | queries                           | 204      | 100         | 2         |
//! | grinding before the queries       | 16       | 16          | 1         |
//! | grinding before each fold         | 8        | 0           | 1         |
//! | grinding before opening batching  | 12       | 0           | 1         |
//! | grinding before the out-of-domain point | 8  | 0           | 1         |
//! | largest folding arity             | 8        | 2           | 8         |
//! | length of the final polynomial    | 8        | 1           | 8         |
//! | proven / conjectured bits, 60 columns, 2^19 rows | 100 / 108 | 65 / 96 | 1 / 2 |
//!
//! - `secure` has at least 100 **proven** bits at every height from 2^[`MIN_LOG_HEIGHT`] to 2^23 for degree-3
//!   AIRs of up to 640 columns and 2000 constraints. It is the default.
//! - `benchmark` is `p3_fri::FriParameters::new_benchmark` of Plonky3 0.8, the setting of Plonky3's own
//!   benchmarks and of its KoalaBear Poseidon2 example, with that example's degree-4 extension. It exists for
//!   comparisons with other Plonky3 provers.
//! - `testing` is for unit tests. A wrong constraint, claim or opening is still rejected, since that is found
//!   at the out-of-domain point; a commitment that is far from a low-degree polynomial is found only with the
//!   probability of two queries. **It offers no security.**
//!
//! # Why these parameters
//!
//! Degree-3 constraints need two quotient chunks, which fit blow-up 2; a larger blow-up multiplies the work of
//! the prover's largest step. At blow-up 2 one query is worth 0.415 proven bits up to the unique-decoding
//! radius and close to 0.5 up to the Johnson radius.
//!
//! The prover hardly notices queries: each costs some Merkle paths. It notices the size of the extension field
//! in every extension multiplication and in the quotient's width. So `secure` buys its bits where they are
//! cheap:
//!
//! - **Degree 4 with unique decoding.** Every term that depends on the field then loses at most 24 bits to the
//!   trace height and 11 to batching, out of 123, and a few bits of grinding at the three places concerned
//!   bring them all above 100. Degree 5 would allow the Johnson radius and 170 queries: a proof smaller by a
//!   tenth, a prover slower by more than a tenth, and no 100 bits below 2^7 rows.
//! - **16 bits of grinding before the queries**, hundredths of a second. 20 bits would save ten queries, a
//!   twenty-fifth of the proof, for sixteen times the work.
//! - **Folding by 8.** Fewer and smaller trees than folding by 2: the proof is smaller by a third, and the
//!   prover faster, so that `secure` proves no slower than `benchmark`.
//! - **A final polynomial of 8 coefficients.** Longer ones would shorten the proof further and would make
//!   short traces impossible.
//!
//! # The machine
//!
//! [`ConfigName::build_machine`] adds grinding before the challenges of the buses (`secure` 14 bits, `testing` 1), and
//! `secure` grinds 15 bits before opening batching, since the columns of all tables are batched. Each table has at least
//! 2^9 rows: one of 2^4 rows would leave `secure` 88 proven bits by one theorem, a tall one beside it 96 by the other.
//!
//! # What the bits mean
//!
//! [`ConfigName::security`] asks `p3_uni_stark` for both numbers, from the AIR, the trace height and the
//! parameters, including every place where the protocol grinds. They are the smallest of the round-by-round
//! terms, rounded down.
//!
//! - `proven` is the better of two theorems about the same protocol, one for the unique-decoding radius, one
//!   for the list-decoding (Johnson) radius; [`SecurityBits::regime`] says which. For `secure` it is unique
//!   decoding for tall traces and list decoding for short ones, whose rate is spoilt by the two opening points.
//! - `conjectured` assumes that random words are the worst case up to capacity.
//!
//! Both are capped by the collision resistance of the hash and rounded against us: the challenge field counts
//! as 123 bits, a digest of eight elements as 123 bits of collision resistance.
//!
//! # Limits of the trace height
//!
//! A verifier must refuse heights outside [`ConfigName::log_heights`] before it looks at the proof, because
//! the height is the prover's choice and security falls to nothing on one or two rows. [`ConfigName::check`]
//! does that for both sides.

use core::fmt;
use core::ops::RangeInclusive;
use core::str::FromStr;
use std::time::{Duration, Instant};

use p3_air::Air;
use p3_air::symbolic::{AirLayout, SymbolicAirBuilder, get_max_constraint_degree_extension};
use p3_batch_stark::num_batched_openings;
use p3_challenger::DuplexChallenger;
use p3_commit::{ExtensionMmcs, Pcs as PcsTrait, PeriodicColumnShapeError, PeriodicColumns};
use p3_dft::Radix2DFTSmallBatch;
use p3_field::coset::TwoAdicMultiplicativeCoset;
use p3_field::extension::BinomialExtensionField;
use p3_field::{BasedVectorSpace, Field, PrimeCharacteristicRing, TwoAdicField};
use p3_fri::{FriParameters, FriProverError, TwoAdicFriPcs};
use p3_koala_bear::{KoalaBear, Poseidon2KoalaBear, default_koalabear_poseidon2_16};
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use p3_merkle_tree::MerkleTreeMmcs;
use p3_symmetric::{PaddingFreeSponge, TruncatedPermutation};
use p3_uni_stark::{
    ConjecturedSecurity, GrindingSites, OpeningShape, ProvenSecurity, StarkConfig, StarkGenericConfig,
    StarkSecurityParams,
};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::machine::TableShape;

/// The field of the trace.
pub type Val = KoalaBear;

/// The field of the challenges: F_p\[X\]/(X⁴ − 3).
pub type Challenge = BinomialExtensionField<Val, 4>;

/// Poseidon2 of width 16 over KoalaBear.
pub type Perm = Poseidon2KoalaBear<16>;

/// The sponge that hashes rows: rate 8, capacity 8, eight elements of output.
pub type RowHash = PaddingFreeSponge<Perm, 16, 8, 8>;

/// The compression of two digests into one.
pub type Compress = TruncatedPermutation<Perm, 2, 8, 16>;

/// Merkle trees over matrices of [`Val`].
pub type ValMmcs = MerkleTreeMmcs<<Val as Field>::Packing, <Val as Field>::Packing, RowHash, Compress, 2, 8>;

/// Merkle trees over matrices of [`Challenge`].
pub type ChallengeMmcs = ExtensionMmcs<Val, Challenge, ValMmcs>;

/// The Fiat–Shamir sponge.
pub type Challenger = DuplexChallenger<Val, Perm, 16, 8>;

/// The Fourier transform. Of those in Plonky3 it is the fastest on narrow matrices, as the quotient's are, and
/// no slower on wide ones.
pub type Dft = Radix2DFTSmallBatch<Val>;

/// The polynomial commitment scheme.
pub type Pcs = TwoAdicFriPcs<Val, Dft, ValMmcs, ChallengeMmcs>;

/// The configuration that [`p3_uni_stark::prove`] and [`p3_uni_stark::verify`] take.
pub type Config = StarkConfig<Pcs, Challenge, Challenger>;

/// A proof under any of the configurations. It does not say which one.
///
/// Its bytes are not unique: with the feature `parallel` the grinding witnesses differ from run to run.
/// `postcard` decodes it from untrusted bytes in memory proportional to their number, at most 48 bytes for each,
/// and ignores what follows the proof, so bound the input first and refuse a remainder.
pub type Proof = p3_uni_stark::Proof<Config>;

/// log2 of the smallest trace height of any configuration.
///
/// Shorter traces have to be padded. Plonky3 itself proves even one row if the final polynomial is a constant,
/// but the two opening points count against the degree: the 204 queries of `secure` prove 83 bits on eight
/// rows, 55 on four and none on one or two. Nor do eight rows leave anything to fold for its final polynomial.
pub const MIN_LOG_HEIGHT: usize = 4;

/// Collision resistance of a digest of eight KoalaBear elements in bits: half of 247.9, rounded down.
pub const COLLISION_RESISTANCE_BITS: usize = 123;

/// The name of a configuration.
///
/// ```
/// use septic_prover::config::ConfigName;
///
/// assert_eq!("secure".parse(), Ok(ConfigName::default()));
/// assert_eq!(ConfigName::Benchmark.to_string(), "benchmark");
/// assert!("fast".parse::<ConfigName>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ConfigName {
    /// At least 100 proven bits.
    #[default]
    Secure,
    /// Plonky3's benchmark parameters.
    Benchmark,
    /// For unit tests only: not secure.
    Testing,
}

impl ConfigName {
    /// Every name.
    pub const ALL: [Self; 3] = [Self::Secure, Self::Benchmark, Self::Testing];

    /// The name as it is written on a command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Secure => "secure",
            Self::Benchmark => "benchmark",
            Self::Testing => "testing",
        }
    }

    /// The FRI parameters.
    #[must_use]
    pub const fn fri_parameters(self) -> FriParameters<()> {
        match self {
            Self::Secure => FriParameters {
                log_blowup: 1,
                log_final_poly_len: 3,
                max_log_arity: 3,
                num_queries: 204,
                batch_proof_of_work_bits: 12,
                commit_proof_of_work_bits: 8,
                query_proof_of_work_bits: 16,
                mmcs: (),
            },
            Self::Benchmark => FriParameters::new_benchmark(()),
            Self::Testing => FriParameters {
                log_blowup: 1,
                log_final_poly_len: 3,
                max_log_arity: 3,
                num_queries: 2,
                batch_proof_of_work_bits: 1,
                commit_proof_of_work_bits: 1,
                query_proof_of_work_bits: 1,
                mmcs: (),
            },
        }
    }

    /// Bits of grinding before the out-of-domain point is drawn. FRI knows nothing of that place.
    #[must_use]
    pub const fn ood_proof_of_work_bits(self) -> usize {
        match self {
            Self::Secure => 8,
            Self::Benchmark => 0,
            Self::Testing => 1,
        }
    }

    /// Bits of grinding before the challenges of the machine's buses are drawn.
    #[must_use]
    pub const fn lookup_proof_of_work_bits(self) -> usize {
        match self {
            Self::Secure => 14,
            Self::Benchmark => 0,
            Self::Testing => 1,
        }
    }

    /// log2 of the trace heights that the configuration supports.
    ///
    /// The upper end is where the blown-up trace fills the largest two-adic subgroup.
    #[must_use]
    pub const fn log_heights(self) -> RangeInclusive<usize> {
        MIN_LOG_HEIGHT..=Val::TWO_ADICITY - self.fri_parameters().log_blowup
    }

    /// The largest constraint degree whose quotient fits the blow-up.
    #[must_use]
    pub const fn max_degree(self) -> usize {
        self.fri_parameters().blowup() + 1
    }

    /// Builds the configuration.
    #[must_use]
    pub fn build(self) -> Config {
        self.build_with(&self.fri_parameters())
    }

    /// Builds the configuration of the machine: with grinding before the buses' challenges.
    #[must_use]
    pub fn build_machine(self) -> Config {
        self.build_with(&self.machine_fri_parameters())
            .with_lookup_proof_of_work_bits(self.lookup_proof_of_work_bits())
    }

    fn build_with(self, fri: &FriParameters<()>) -> Config {
        let perm = default_koalabear_poseidon2_16();
        let val_mmcs = ValMmcs::new(RowHash::new(perm.clone()), Compress::new(perm.clone()), 0);
        let FriParameters {
            log_blowup,
            log_final_poly_len,
            max_log_arity,
            num_queries,
            batch_proof_of_work_bits,
            commit_proof_of_work_bits,
            query_proof_of_work_bits,
            mmcs: (),
        } = *fri;
        let fri = FriParameters {
            log_blowup,
            log_final_poly_len,
            max_log_arity,
            num_queries,
            batch_proof_of_work_bits,
            commit_proof_of_work_bits,
            query_proof_of_work_bits,
            mmcs: ChallengeMmcs::new(val_mmcs.clone()),
        };
        Config::new(Pcs::new(Dft::default(), val_mmcs, fri), Challenger::new(perm))
            .with_ood_proof_of_work_bits(self.ood_proof_of_work_bits())
    }

    /// Checks that a trace of 2^`log_height` rows is supported.
    ///
    /// # Errors
    /// [`ConfigError::TraceTooShort`] or [`ConfigError::TraceTooTall`].
    pub const fn check_log_height(self, log_height: usize) -> Result<(), ConfigError> {
        let heights = self.log_heights();
        let (min, max) = (*heights.start(), *heights.end());
        if log_height < min {
            return Err(ConfigError::TraceTooShort { log_height, min });
        }
        if log_height > max {
            return Err(ConfigError::TraceTooTall { log_height, max });
        }
        Ok(())
    }

    /// Checks that `air` can be proven over 2^`log_height` rows: supported height, periodic columns whose
    /// length divides it, and constraints of a degree that fits the blow-up.
    ///
    /// A prover calls this before it proves; a verifier before it verifies, with the height that the proof
    /// states (`degree_bits`).
    ///
    /// # Errors
    /// The first requirement that is not met.
    pub fn check<A>(self, air: &A, log_height: usize) -> Result<(), ConfigError>
    where
        A: Air<SymbolicAirBuilder<Val, Challenge>>,
    {
        self.check_log_height(log_height)?;
        let height = 1 << log_height;
        PeriodicColumns::new(&air.periodic_columns(), height)?;
        let layout = AirLayout::from_air::<Val>(air);
        let degree = get_max_constraint_degree_extension::<Val, Challenge, A>(air, layout, height)
            .max(air.max_constraint_degree().unwrap_or(0));
        let max = self.max_degree();
        if degree > max {
            return Err(ConfigError::DegreeTooHigh { degree, max });
        }
        Ok(())
    }

    /// The security of a proof about `air` over 2^`log_height` rows, computed by Plonky3.
    ///
    /// # Errors
    /// As [`Self::check`].
    pub fn security<A>(self, air: &A, log_height: usize) -> Result<SecurityBits, ConfigError>
    where
        A: Air<SymbolicAirBuilder<Val, Challenge>>,
    {
        self.check(air, log_height)?;
        let domain = TwoAdicMultiplicativeCoset::new(Val::ONE, log_height)
            .ok_or(ConfigError::TraceTooTall { log_height, max: Val::TWO_ADICITY })?;
        let next_row =
            !air.main_next_row_columns().is_empty() || !air.preprocessed_next_row_columns().is_empty();
        let fri = self.fri_parameters();
        let params = StarkSecurityParams::from_air::<Val, Challenge, A>(
            fri.security_regime(),
            air,
            AirLayout::from_air::<Val>(air),
            domain,
            // The bit length of the order, less one: the order is at least two to that power.
            Challenge::bits() - 1,
            COLLISION_RESISTANCE_BITS,
            1 + usize::from(next_row),
            OpeningShape::TwoAdic,
            GrindingSites { out_of_domain: self.ood_proof_of_work_bits(), ..fri.grinding_sites() },
        );
        Ok(self.bits(&params, log_height))
    }

    /// Both numbers of bits for these parameters and a domain of 2^`log_height` rows.
    fn bits(self, params: &StarkSecurityParams, log_height: usize) -> SecurityBits {
        let conjectured = ConjecturedSecurity::compute_from_params(params, log_height).security_bits;
        let proven = ProvenSecurity::compute_from_proof(log_height, params);
        let bits = SecurityBits {
            conjectured: saturate(conjectured),
            proven: saturate(proven.security_bits()),
            regime: if proven.unique_decoding_bits >= proven.list_decoding_bits {
                Regime::UniqueDecoding
            } else {
                Regime::ListDecoding
            },
        };
        tracing::debug!(
            config = self.as_str(),
            log_height,
            conjectured,
            unique_decoding = proven.unique_decoding_bits,
            list_decoding = proven.list_decoding_bits,
            "security bits"
        );
        bits
    }

    /// The security of a batch of tables: shapes with log2 of their heights.
    ///
    /// Plonky3's terms count the constraints, columns and openings of all tables. Each theorem is taken at its worst
    /// height: the query term is worst for the shortest table, whose rate the opening points spoil most, the others for
    /// the tallest.
    /// To them comes the error of the buses: with N messages on all rows, of at most w fields, the sums of fractions that
    /// stand for two different multisets agree for at most N·(w + 2) of the challenges.
    pub(crate) fn batch_security(self, tables: &[(TableShape, usize)]) -> SecurityBits {
        let modulus_bits = Challenge::bits() - 1;
        let openings: usize = tables
            .iter()
            .map(|(shape, _)| {
                num_batched_openings(
                    shape.width,
                    shape.reads_next,
                    0,
                    false,
                    2,
                    shape.permutation_columns.saturating_sub(1),
                    <Challenge as BasedVectorSpace<Val>>::DIMENSION,
                    OpeningShape::TwoAdic,
                )
            })
            .sum();
        let fri = self.machine_fri_parameters();
        let mut params = StarkSecurityParams::new(
            fri.security_regime(),
            modulus_bits,
            COLLISION_RESISTANCE_BITS,
            tables.iter().map(|(shape, _)| shape.constraints).sum(),
            tables.iter().map(|(shape, _)| shape.degree).max().unwrap_or(2),
            2,
            openings,
            2,
        );
        params.grinding =
            GrindingSites { out_of_domain: self.ood_proof_of_work_bits(), ..fri.grinding_sites() };
        let (mut unique, mut list, mut conjectured) = (usize::MAX, usize::MAX, usize::MAX);
        for &(_, log_height) in tables {
            let proven = ProvenSecurity::compute_from_proof(log_height, &params);
            unique = unique.min(proven.unique_decoding_bits);
            list = list.min(proven.list_decoding_bits);
            let bits = ConjecturedSecurity::compute_from_params(&params, log_height).security_bits;
            conjectured = conjectured.min(bits);
        }
        let width = tables.iter().map(|(shape, _)| shape.message_width).max().unwrap_or(0) as u64;
        let messages: u64 =
            tables.iter().map(|&(shape, log_height)| (shape.messages as u64) << log_height).sum();
        let terms = (messages * (width + 2)).max(1);
        let lost = terms.next_power_of_two().ilog2() as usize;
        let buses = (modulus_bits + self.lookup_proof_of_work_bits()).saturating_sub(lost);
        SecurityBits {
            conjectured: saturate(conjectured.min(buses)),
            proven: saturate(unique.max(list).min(buses)),
            regime: if unique >= list { Regime::UniqueDecoding } else { Regime::ListDecoding },
        }
    }

    /// The FRI parameters of the machine: more grinding before the batching challenge, since more columns are batched.
    const fn machine_fri_parameters(self) -> FriParameters<()> {
        let fri = self.fri_parameters();
        match self {
            Self::Secure => FriParameters { batch_proof_of_work_bits: 15, ..fri },
            Self::Benchmark | Self::Testing => fri,
        }
    }

    /// The time one commitment to `trace` takes, made as the prover makes it: low-degree extension and Merkle
    /// tree. Building the configuration is not counted.
    ///
    /// # Errors
    /// If the height of `trace` is not a supported power of two.
    pub fn commit_time(self, trace: RowMajorMatrix<Val>) -> Result<Duration, ConfigError> {
        let height = trace.height();
        if !height.is_power_of_two() {
            return Err(ConfigError::HeightNotPowerOfTwo { height });
        }
        self.check_log_height(height.ilog2() as usize)?;
        let config = self.build();
        let pcs = config.pcs();
        let start = Instant::now();
        let domain = <Pcs as PcsTrait<Challenge, Challenger>>::natural_domain_for_degree(pcs, height);
        let committed = <Pcs as PcsTrait<Challenge, Challenger>>::commit(pcs, [(domain, trace)])?;
        let elapsed = start.elapsed();
        drop(committed);
        Ok(elapsed)
    }
}

impl fmt::Display for ConfigName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for ConfigName {
    type Err = UnknownConfig;

    fn from_str(name: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|known| known.as_str() == name)
            .ok_or_else(|| UnknownConfig { got: name.to_owned() })
    }
}

/// Security of a proof in bits, as computed by [`ConfigName::security`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SecurityBits {
    /// Under the conjecture that random words are the worst case up to capacity.
    pub conjectured: u32,
    /// Proven, without any conjecture about Reed–Solomon codes.
    pub proven: u32,
    /// The decoding radius at which `proven` holds.
    pub regime: Regime,
}

/// A decoding radius of Reed–Solomon codes up to which proximity is proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Regime {
    /// Half the minimum distance.
    UniqueDecoding,
    /// Close to the Johnson bound.
    ListDecoding,
}

impl fmt::Display for Regime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::UniqueDecoding => "unique decoding",
            Self::ListDecoding => "list decoding",
        })
    }
}

/// A statement that a configuration cannot prove.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The constraints' degree needs a larger blow-up.
    #[error("constraint degree {degree} is too high: the blow-up allows {max}")]
    DegreeTooHigh {
        /// The largest degree of a constraint.
        degree: usize,
        /// The largest degree that the blow-up allows.
        max: usize,
    },
    /// The trace has too few rows.
    #[error("trace of 2^{log_height} rows is too short: at least 2^{min} are needed")]
    TraceTooShort {
        /// log2 of the height.
        log_height: usize,
        /// log2 of the smallest supported height.
        min: usize,
    },
    /// The trace has too many rows.
    #[error("trace of 2^{log_height} rows is too tall: at most 2^{max} are supported")]
    TraceTooTall {
        /// log2 of the height.
        log_height: usize,
        /// log2 of the largest supported height.
        max: usize,
    },
    /// The number of rows is not a power of two.
    #[error("trace height {height} is not a power of two")]
    HeightNotPowerOfTwo {
        /// The height.
        height: usize,
    },
    /// A periodic column does not fit the trace.
    #[error(transparent)]
    PeriodicColumn(#[from] PeriodicColumnShapeError),
    /// The commitment scheme refused the trace.
    #[error(transparent)]
    Pcs(#[from] FriProverError),
}

/// No configuration has that name.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("unknown configuration {got:?}: expected secure, benchmark or testing")]
#[non_exhaustive]
pub struct UnknownConfig {
    /// The name that was asked for.
    pub got: String,
}

fn saturate(bits: usize) -> u32 {
    u32::try_from(bits).unwrap_or(u32::MAX)
}
