//! A machine around the precompiles, proven by SP1's CPU prover.

use std::collections::BTreeSet;
use std::fmt;
use std::mem::MaybeUninit;
use std::sync::Arc;

use slop_algebra::PrimeField32;
use slop_algebra::extension::BinomialExtensionField;
use slop_basefold::FriConfig;
use sp1_core_executor::{Program, SupervisorMode};
use sp1_hypercube::air::MachineAir;
use sp1_hypercube::prover::{
    CpuShardProver, PcsProof, PreprocessedData, ProvingKey, SP1MerkleTreeProver, SimpleProver, ZerocheckAir,
    simple_prover,
};
use sp1_hypercube::{
    Chip, InnerSC, Machine, MachineProof, MachineShape, MachineVerifierConfigError, MachineVerifyingKey,
    PROOF_MAX_NUM_PVS, SP1Pcs, ShardVerifier,
};
use sp1_primitives::{SP1Field, SP1GlobalContext, fri_params::core_fri_config};

use crate::driver::{ByteTable, MemoryChip, RangeTable, SyscallChip};
use crate::precompile::{SepticAddChip, SepticDoubleChip, SepticScalarMulChip, SepticVerifyChip};
use crate::record::Record;

/// The tables of the machine.
#[derive(sp1_derive::MachineAir, Debug)]
#[execution_record_path = "Record"]
#[program_path = "Program"]
#[builder_path = "sp1_core_machine::air::SP1CoreAirBuilder<F = F>"]
pub enum SepticAir<F: PrimeField32> {
    /// The syscalls.
    Syscalls(SyscallChip),
    /// Memory before and after the shard.
    Memory(MemoryChip),
    /// SEPTIC_ADD.
    Add(SepticAddChip<SupervisorMode>),
    /// SEPTIC_DOUBLE.
    Double(SepticDoubleChip<SupervisorMode>),
    /// SEPTIC_SCALAR_MUL.
    ScalarMul(SepticScalarMulChip<SupervisorMode>),
    /// SEPTIC_VERIFY.
    Verify(SepticVerifyChip<SupervisorMode>),
    /// SP1's table of byte operations.
    Byte(ByteTable<F>),
    /// SP1's table of small numbers.
    Range(RangeTable<F>),
}

impl<F: PrimeField32> SepticAir<F> {
    /// All tables, those that others look something up in last.
    #[must_use]
    pub fn all() -> Vec<Self> {
        vec![
            Self::Syscalls(SyscallChip),
            Self::Memory(MemoryChip),
            Self::Add(SepticAddChip::new()),
            Self::Double(SepticDoubleChip::new()),
            Self::ScalarMul(SepticScalarMulChip::new()),
            Self::Verify(SepticVerifyChip::new()),
            Self::Byte(ByteTable::default()),
            Self::Range(RangeTable::default()),
        ]
    }
}

/// SP1's extension field.
pub type ExtensionField = BinomialExtensionField<SP1Field, 4>;

/// The proof of some shards.
pub type Proof<A> = MachineProof<SP1GlobalContext, PcsProof<SP1GlobalContext, InnerSC<A>>>;

/// Why SP1's verifier refuses a proof.
pub type VerifyError = MachineVerifierConfigError<SP1GlobalContext, SP1Pcs<SP1GlobalContext>>;

type Cpu<A> = CpuShardProver<
    SP1GlobalContext,
    SP1Pcs<SP1GlobalContext>,
    slop_stacked::StackedPcsProver<SP1MerkleTreeProver, SP1GlobalContext>,
    A,
>;

/// How a proof is made.
#[derive(Clone, Debug)]
pub struct Parameters {
    /// Rate, number of queries and proof of work.
    pub fri: FriConfig<SP1Field>,
    /// Base-2 logarithm of the height of the stacked columns.
    pub log_stacking_height: u32,
    /// Base-2 logarithm of the greatest number of rows. SP1's table of small numbers has 2^17.
    pub max_log_row_count: usize,
}

impl Parameters {
    /// SP1's own rate, queries and proof of work, for traces of at most 2^17 rows.
    #[must_use]
    pub fn core() -> Self {
        Self { fri: core_fri_config(), log_stacking_height: 16, max_log_row_count: 17 }
    }

    /// Few queries: for tests only, without security.
    #[must_use]
    pub fn testing() -> Self {
        Self { fri: FriConfig::new(1, 10, 1), ..Self::core() }
    }
}

/// The machine of these tables.
///
/// # Panics
/// If two tables have one name: SP1 would leave one of them out of its proofs without a word.
#[must_use]
pub fn machine<A>(airs: Vec<A>) -> Machine<SP1Field, A>
where
    A: ZerocheckAir<SP1Field, ExtensionField>,
    A: slop_air::Air<sp1_hypercube::InteractionBuilder<SP1Field>>,
{
    let chips: Vec<Chip<SP1Field, A>> = airs.into_iter().map(Chip::new).collect();
    let names: BTreeSet<&str> = chips.iter().map(|chip| chip.air.name()).collect();
    assert_eq!(names.len(), chips.len(), "names of tables are unique");
    let shape = MachineShape::all(&chips);
    Machine::new(chips, PROOF_MAX_NUM_PVS, shape)
}

/// A machine with its keys.
pub struct Prover<A = SepticAir<SP1Field>>
where
    A: ZerocheckAir<SP1Field, ExtensionField>,
{
    prover: SimpleProver<SP1GlobalContext, InnerSC<A>, Cpu<A>>,
    proving_key: Arc<ProvingKey<SP1GlobalContext, InnerSC<A>, Cpu<A>>>,
    verifying_key: MachineVerifyingKey<SP1GlobalContext>,
}

impl<A: ZerocheckAir<SP1Field, ExtensionField>> fmt::Debug for Prover<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prover").field("machine", self.prover.machine()).finish_non_exhaustive()
    }
}

impl Prover {
    /// The machine of all tables.
    pub async fn new(parameters: Parameters) -> Self {
        Self::with(SepticAir::all(), parameters).await
    }
}

impl<A> Prover<A>
where
    A: ZerocheckAir<SP1Field, ExtensionField> + MachineAir<SP1Field, Record = Record, Program = Program>,
    A: slop_air::Air<sp1_hypercube::InteractionBuilder<SP1Field>>,
{
    /// A machine of other tables, see [`machine`].
    pub async fn with(airs: Vec<A>, parameters: Parameters) -> Self {
        let Parameters { fri, log_stacking_height, max_log_row_count } = parameters;
        let verifier = ShardVerifier::from_basefold_parameters(
            fri,
            log_stacking_height,
            max_log_row_count,
            machine(airs),
        );
        let prover = simple_prover(verifier);
        let (PreprocessedData { pk, .. }, verifying_key) = prover.setup(Arc::new(Program::default())).await;
        Self { prover, proving_key: pk, verifying_key }
    }

    /// The machine.
    #[must_use]
    pub fn machine(&self) -> &Machine<SP1Field, A> {
        self.prover.machine()
    }

    /// Adds the lookups that the record's events need.
    pub fn generate_dependencies(&self, record: &mut Record) {
        self.machine().generate_dependencies(std::iter::once(record), None);
    }

    /// Proves shards as they are; their records hold all lookups (see [`Self::generate_dependencies`]). SP1's prover checks
    /// nothing: a proof of a wrong record is refused by [`Self::verify`].
    ///
    /// Needs a runtime of several threads. A record that has no trace, for instance with a point off the curve, ends
    /// in a panic.
    pub async fn prove_records(&self, records: impl IntoIterator<Item = Record>) -> Proof<A> {
        let mut shards = Vec::new();
        for record in records {
            shards.push(self.prover.prove_shard(self.proving_key.clone(), record).await);
        }
        MachineProof::from(shards)
    }

    /// Adds the lookups and proves the shards.
    pub async fn prove(&self, records: impl IntoIterator<Item = Record>) -> Proof<A> {
        let records = records.into_iter().map(|mut record| {
            self.generate_dependencies(&mut record);
            record
        });
        self.prove_records(records).await
    }

    /// Verifies each shard of a proof.
    ///
    /// # Errors
    /// What SP1's verifier finds.
    pub fn verify(&self, proof: &Proof<A>) -> Result<(), VerifyError> {
        self.prover.verify(&self.verifying_key, proof)
    }
}
