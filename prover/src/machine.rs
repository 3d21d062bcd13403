//! The machine: all operations in one proof.
//!
//! Each operation has one or more tables; tables speak over buses (p3-lookup), and all of them share the commitments
//! and one opening proof (p3-batch-stark). Distinct claims stand in tables with one row a claim, whose instance
//! columns the verifier computes itself, so that its work is linear in the number of claims, not of trace rows.
//!
//! | layout        | SCALAR_MUL, VERIFY                                                        |
//! |---------------|---------------------------------------------------------------------------|
//! | `half-scalar` | half-size scalars: one row an event, a range and a generator table        |
//! | `row-per-bit` | the chips' own traces, 256 rows an event, and a claims table              |
//!
//! A machine without a layout takes the one with fewer cells: `row-per-bit` for a few dozen events, for which tables of at
//! least 2^9 rows are not worth their while, `half-scalar` otherwise. A verifier accepts both.
//!
//! A proof is about a list of claims: each of them, in this order, as often as it stands there. Equal claims are proven
//! once; that every claim of the list is among the proven ones is part of the statement's digest.

mod air;
mod check;
mod instances;
mod record;
pub mod segments;

use core::fmt;
use core::str::FromStr;

use p3_batch_stark::{
    BatchProof, CommonData, ProverData, ProverOnlyData, StarkInstance, prove_batch, verify_batch,
};
use p3_matrix::Matrix;
use p3_matrix::dense::RowMajorMatrix;
use septic_trace::septic_chips::Operation;
use septic_trace::septic_curve::Point;
use septic_trace::{Claim, Event};
use serde::{Deserialize, Serialize};

use air::{KEYS, MachineAir};
pub use air::{TableKind, TableShape};
pub use check::{Fault, Traces};
pub use record::Record;
use record::Statement;

use crate::bundle::{DecodeError, MixedClaim, decode};
use crate::config::{Config, ConfigError, ConfigName, SecurityBits, Val};
use crate::{ProveError, VerifyError};

/// First bytes of an encoded proof.
const MAGIC: [u8; 8] = *b"SEPTICMP";

/// Version of the format and of the statement's encoding.
pub const VERSION: u32 = 1;

/// The version of Plonky3 whose transcript and proofs these are.
const PLONKY3: &str = "0.8.0";

/// How SCALAR_MUL and VERIFY are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Layout {
    /// One row a bit of the scalar, 256 rows an event.
    RowPerBit,
    /// Half-size scalars, one row an event.
    HalfScalar,
}

impl Layout {
    /// All layouts.
    pub const ALL: &[Self] = &[Self::HalfScalar, Self::RowPerBit];

    /// The name on a command line.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::RowPerBit => "row-per-bit",
            Self::HalfScalar => "half-scalar",
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

impl FromStr for Layout {
    type Err = UnknownLayout;

    fn from_str(name: &str) -> Result<Self, UnknownLayout> {
        Self::ALL
            .iter()
            .copied()
            .find(|layout| layout.as_str() == name)
            .ok_or_else(|| UnknownLayout { got: name.to_owned() })
    }
}

/// No layout has that name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown layout {got:?}")]
#[non_exhaustive]
pub struct UnknownLayout {
    /// The name that was asked for.
    pub got: String,
}

/// What a proof file begins with, after the magic.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
struct Header {
    version: u32,
    /// The version of this crate.
    septic: String,
    plonky3: String,
    /// Changes with every column and constraint.
    fingerprint: u64,
    config: ConfigName,
    layout: Layout,
}

impl Header {
    fn new(config: ConfigName, layout: Layout) -> Self {
        Self {
            version: VERSION,
            septic: env!("CARGO_PKG_VERSION").to_owned(),
            plonky3: PLONKY3.to_owned(),
            fingerprint: KEYS.fingerprint,
            config,
            layout,
        }
    }
}

/// A proof that every claim of a list is true.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineProof {
    header: Header,
    /// The tables' parameters, in their order: any values are sound.
    parameters: Vec<Val>,
    /// `None` for the empty list.
    stark: Option<BatchProof<Config>>,
}

impl fmt::Debug for MachineProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MachineProof")
            .field("header", &self.header)
            .field("log_heights", &self.stark.as_ref().map_or(&[][..], |stark| &stark.degree_bits))
            .finish_non_exhaustive()
    }
}

impl MachineProof {
    /// The configuration that the proof says it was made with. A verifier brings its own.
    #[must_use]
    pub const fn config(&self) -> ConfigName {
        self.header.config
    }

    /// The layout of the tables.
    #[must_use]
    pub const fn layout(&self) -> Layout {
        self.header.layout
    }

    /// The proof as bytes.
    ///
    /// # Errors
    /// If the encoder fails, which it does for no proof that [`Machine::prove`] made.
    pub fn to_bytes(&self) -> Result<Vec<u8>, DecodeError> {
        postcard::to_extend(self, MAGIC.to_vec()).map_err(|e| DecodeError::Encoding { reason: e.to_string() })
    }

    /// Whether bytes begin like an encoded proof.
    #[must_use]
    pub fn is_encoded(bytes: &[u8]) -> bool {
        bytes.starts_with(&MAGIC)
    }

    /// The proof from bytes, all of them. There is one encoding of a proof: bytes that another would write are refused.
    ///
    /// Memory is bounded by a multiple of the number of bytes, below 50: bound the length before you read.
    ///
    /// # Errors
    /// If the bytes are not an encoded proof of this version and these circuits.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, DecodeError> {
        let body = bytes.strip_prefix(&MAGIC).ok_or(DecodeError::Magic)?;
        let malformed = |e: postcard::Error| DecodeError::Encoding { reason: e.to_string() };
        // The header first: of another version, the rest may mean anything.
        let (header, _): (Header, _) = postcard::take_from_bytes(body).map_err(malformed)?;
        // A message shows the header, so it must not be long.
        if header.septic.len().max(header.plonky3.len()) > 32 {
            return Err(DecodeError::Encoding { reason: "a version of more than 32 bytes".to_owned() });
        }
        if header.version != VERSION {
            return Err(DecodeError::Version { expected: VERSION, got: header.version });
        }
        let expected = Header::new(header.config, header.layout);
        if header != expected {
            return Err(DecodeError::Circuits { got: format!("{header:?}") });
        }
        decode(body)
    }
}

/// Watches a proof being made. All methods do nothing by default.
pub trait Progress {
    /// The distinct events of an operation are about to be executed, if that is not done with the trace.
    fn execution_starts(&mut self, operation: Operation, events: usize) {
        let _ = (operation, events);
    }
    /// The trace of a table is about to be made.
    fn trace_starts(&mut self, table: TableKind, events: usize) {
        let _ = (table, events);
    }
    /// The trace of a table is done; it can be looked at.
    fn trace_done(&mut self, table: TableKind, trace: &RowMajorMatrix<Val>) {
        let _ = (table, trace);
    }
    /// All traces are done: commitments and openings follow.
    fn proof_starts(&mut self) {}
}

impl Progress for () {}

/// Proves and verifies lists of claims of all operations.
///
/// ```
/// use septic_prover::ConfigName;
/// use septic_prover::machine::{Machine, Record};
/// use septic_prover::septic_trace::septic_curve::Point;
/// use septic_prover::septic_trace::{AddEvent, DoubleEvent};
///
/// let g = Point::GENERATOR;
/// let events = [DoubleEvent { p: g }.into(), AddEvent { p: g, q: g.double() }.into()];
/// // Not secure: for examples and tests.
/// let machine = Machine::new(ConfigName::Testing);
/// let (proof, claims) = machine.prove(&Record::new(&events)).unwrap();
/// assert_eq!(claims[1].out, g + g + g);
/// machine.verify(&claims, &proof).unwrap();
/// assert!(machine.verify(&claims[1..], &proof).is_err());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    config: ConfigName,
    layout: Option<Layout>,
}

impl Machine {
    /// A machine that takes the layout with fewer cells for each list.
    #[must_use]
    pub const fn new(config: ConfigName) -> Self {
        Self { config, layout: None }
    }

    /// The same machine with one layout for all lists. A verifier accepts every layout.
    #[must_use]
    pub const fn with_layout(self, layout: Layout) -> Self {
        Self { layout: Some(layout), ..self }
    }

    /// The layout for a list with these numbers of distinct events of ADD, DOUBLE, SCALAR_MUL and VERIFY.
    #[must_use]
    pub fn layout_for(&self, counts: [usize; 4]) -> Layout {
        // A layout that cannot hold the list counts as infinitely large.
        let cells = |layout: &Layout| cells(counts, *layout).unwrap_or(u64::MAX);
        self.layout.or_else(|| Layout::ALL.iter().copied().min_by_key(cells)).unwrap_or(Layout::HalfScalar)
    }

    /// Proves a list of events, and returns the claims in the list's order.
    ///
    /// # Errors
    /// If an event has no trace, or the configuration cannot prove that many. Indices in errors count the list.
    pub fn prove(&self, record: &Record) -> Result<(MachineProof, Vec<MixedClaim>), ProveError> {
        self.prove_with(record, &mut ())
    }

    /// [`Self::prove`], watched.
    ///
    /// # Errors
    /// As [`Self::prove`].
    pub fn prove_with(
        &self,
        record: &Record,
        progress: &mut impl Progress,
    ) -> Result<(MachineProof, Vec<MixedClaim>), ProveError> {
        let (traces, claims) = self.traces(record, progress)?;
        let proof = self.prove_traces(&traces, &claims, progress)?;
        Ok((proof, claims))
    }

    /// The traces of a list, and its claims.
    ///
    /// # Errors
    /// If an event has no trace. Indices in errors count the list.
    pub fn traces(
        &self,
        record: &Record,
        progress: &mut impl Progress,
    ) -> Result<(Traces, Vec<MixedClaim>), ProveError> {
        let layout = self.layout_for(record.counts());
        let (tables, outputs) = instances::fill(record, layout, progress)?;
        Ok((Traces { layout, tables }, record.claims(&outputs)))
    }

    /// Proves that `traces` are traces of `claims`.
    ///
    /// They are not checked: wrong ones give a proof that does not verify. [`Traces::faults`] says what is wrong with
    /// them.
    ///
    /// # Errors
    /// If the configuration cannot prove traces of these heights.
    ///
    /// # Panics
    /// In builds with debug assertions if they violate a constraint or a bus.
    pub fn prove_traces(
        &self,
        traces: &Traces,
        claims: &[MixedClaim],
        progress: &mut impl Progress,
    ) -> Result<MachineProof, ProveError> {
        let tables = &traces.tables;
        let header = Header::new(self.config, traces.layout);
        let parameters = tables.iter().flat_map(|table| table.parameters.iter().copied()).collect();
        if tables.is_empty() {
            return Ok(MachineProof { header, parameters, stark: None });
        }
        for table in tables {
            let height = table.trace.height();
            if !height.is_power_of_two() {
                return Err(ConfigError::HeightNotPowerOfTwo { height }.into());
            }
            self.config.check_log_height(height.ilog2() as usize)?;
        }
        progress.proof_starts();
        let digest = Statement::new(claims).digest(self.config, traces.layout);
        let airs: Vec<MachineAir> = tables.iter().map(|table| table.kind.for_prover()).collect();
        let instances: Vec<StarkInstance<'_, Config, MachineAir>> = tables
            .iter()
            .zip(&airs)
            .map(|(table, air)| StarkInstance {
                air,
                trace: &table.trace,
                public_values: digest.into_iter().chain(table.parameters.iter().copied()).collect(),
            })
            .collect();
        let lookups = tables.iter().map(|table| KEYS.lookups(table.kind)).collect();
        let data =
            ProverData { common: CommonData::new(None, lookups), prover_only: ProverOnlyData::empty() };
        let stark = prove_batch(&self.config.build_machine(), &instances, &data)
            .map_err(|e| ProveError::Prover { reason: e.to_string() })?;
        Ok(MachineProof { header, parameters, stark: Some(stark) })
    }

    /// The tables that a list of claims needs, with log2 of their heights.
    ///
    /// # Errors
    /// If it is too long for one proof.
    pub fn tables(&self, claims: &[MixedClaim]) -> Result<Vec<(TableKind, usize)>, ProveError> {
        self.tables_for(Statement::new(claims).counts())
    }

    /// [`Self::tables`] of a list with these numbers of distinct claims.
    fn tables_for(&self, counts: [usize; 4]) -> Result<Vec<(TableKind, usize)>, ProveError> {
        Ok(instances::tables(counts, self.layout_for(counts))?)
    }

    /// The security of a proof about these claims.
    ///
    /// # Errors
    /// If they are too many for one proof.
    pub fn security(&self, claims: &[MixedClaim]) -> Result<SecurityBits, ProveError> {
        self.security_of_counts(Statement::new(claims).counts())
    }

    /// The security of a proof about that many distinct claims of ADD, DOUBLE, SCALAR_MUL and VERIFY.
    ///
    /// # Errors
    /// If they are too many for one proof.
    pub fn security_of_counts(&self, counts: [usize; 4]) -> Result<SecurityBits, ProveError> {
        let shapes: Vec<_> =
            self.tables_for(counts)?.into_iter().map(|(kind, height)| (kind.shape(), height)).collect();
        Ok(self.config.batch_security(&shapes))
    }

    /// Accepts iff `proof` proves `claims`: all of them, in this order, as often as they stand there.
    ///
    /// # Errors
    /// The first reason not to accept.
    pub fn verify(&self, claims: &[MixedClaim], proof: &MachineProof) -> Result<(), VerifyError> {
        let MachineProof { header, parameters, stark } = proof;
        if header.config != self.config {
            return Err(VerifyError::WrongConfig { expected: self.config, got: header.config });
        }
        if *header != Header::new(header.config, header.layout) {
            return Err(VerifyError::Malformed { what: "header" });
        }
        for (index, claim) in claims.iter().enumerate() {
            claim.check_points(index)?;
        }
        let statement = Statement::new(claims);
        let tables = instances::tables(statement.counts(), header.layout)?;
        let Some(stark) = stark else {
            return if claims.is_empty() && parameters.is_empty() {
                Ok(())
            } else {
                Err(VerifyError::Malformed { what: "a proof of nothing" })
            };
        };
        if tables.is_empty() || stark.degree_bits.len() != tables.len() {
            return Err(VerifyError::Malformed { what: "number of tables" });
        }
        for (&(_, expected), &got) in tables.iter().zip(&stark.degree_bits) {
            self.config.check_log_height(expected)?;
            if got != expected {
                return Err(VerifyError::Height { expected, got });
            }
        }
        let digest = statement.digest(self.config, header.layout);
        let mut rest = parameters.as_slice();
        let mut airs = Vec::with_capacity(tables.len());
        let mut public_values = Vec::with_capacity(tables.len());
        for &(kind, log_height) in &tables {
            let (own, others) = rest
                .split_at_checked(kind.num_parameters())
                .ok_or(VerifyError::Malformed { what: "number of parameters" })?;
            rest = others;
            airs.push(kind.for_verifier(instances::instance_columns(&statement, kind, 1 << log_height)));
            public_values.push(digest.into_iter().chain(own.iter().copied()).collect());
        }
        if !rest.is_empty() {
            return Err(VerifyError::Malformed { what: "number of parameters" });
        }
        let common = CommonData::new(None, tables.iter().map(|&(kind, _)| KEYS.lookups(kind)).collect());
        verify_batch(&self.config.build_machine(), &airs, stark, &public_values, &common)
            .map_err(|e| VerifyError::Invalid { reason: e.to_string() })
    }
}

/// Cells that a list of these numbers of distinct events is committed to in: main columns, and permutation columns at
/// four base columns each.
///
/// # Errors
/// If the list is too long for one proof.
pub fn cells(counts: [usize; 4], layout: Layout) -> Result<u64, ProveError> {
    let tables = instances::tables(counts, layout)?;
    Ok(tables.into_iter().map(|(kind, log_height)| (kind.shape().cells() as u64) << log_height).sum())
}

impl Record {
    /// The list's claims, given the results of the distinct events of each operation.
    fn claims(&self, outputs: &[Vec<Point>; 4]) -> Vec<MixedClaim> {
        self.order
            .iter()
            .map(|&(operation, index)| {
                let index = index as usize;
                let event: Event = match operation {
                    septic_trace::septic_chips::Operation::Add => self.add[index].into(),
                    septic_trace::septic_chips::Operation::Double => self.double[index].into(),
                    septic_trace::septic_chips::Operation::ScalarMul => self.scalar_mul[index].into(),
                    septic_trace::septic_chips::Operation::Verify => self.verify[index].into(),
                };
                Claim { event, out: outputs[operation as usize][index] }
            })
            .collect()
    }
}
