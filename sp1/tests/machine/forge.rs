//! Proofs of changed traces.
//!
//! A forged trace takes the place of the honest one in the prover. The lookups are those of the forged trace, as far as
//! SP1's byte tables hold them, so that a forgery is refused for what it forges. Here a table of just these lookups
//! stands for SP1's tables, whose 2^17 rows would make each proof take seconds.

use std::collections::BTreeMap;
use std::mem::MaybeUninit;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use septic_sp1::machine::machine;
use septic_sp1::{Parameters, Prover, Record, SepticAir};
use slop_air::{Air, BaseAir};
use slop_algebra::{AbstractField, Field, PrimeField32};
use slop_matrix::Matrix;
use slop_matrix::dense::RowMajorMatrix;
use sp1_core_executor::events::ByteLookupEvent;
use sp1_core_executor::{ByteOpcode, Program};
use sp1_hypercube::air::{MachineAir, SP1AirBuilder};
use sp1_hypercube::{
    InteractionKind, LogupGkrVerificationError, Machine, MachineRecord, MachineVerifierError,
    ShardVerifierError, debug_constraints,
};
use sp1_primitives::{SP1Field as F, SP1GlobalContext};

use crate::support::RUNTIME;

/// The traces of a shard but for the byte tables, by table.
pub(crate) type Traces = BTreeMap<&'static str, RowMajorMatrix<F>>;

/// A table whose trace may be replaced.
#[derive(Debug)]
struct Forge {
    inner: SepticAir<F>,
    forged: Arc<Mutex<Traces>>,
}

impl BaseAir<F> for Forge {
    fn width(&self) -> usize {
        self.inner.width()
    }
}

impl MachineAir<F> for Forge {
    type Record = Record;
    type Program = Program;

    fn name(&self) -> &'static str {
        self.inner.name()
    }

    fn num_rows(&self, input: &Record) -> Option<usize> {
        self.inner.num_rows(input)
    }

    fn generate_trace_into(&self, _: &Record, _: &mut Record, buffer: &mut [MaybeUninit<F>]) {
        let forged = self.forged.lock().unwrap_or_else(PoisonError::into_inner);
        write(&forged[self.name()].values, buffer);
    }

    fn generate_dependencies(&self, _: &Record, _: &mut Record) {}

    fn included(&self, shard: &Record) -> bool {
        self.inner.included(shard)
    }
}

impl<AB> Air<AB> for Forge
where
    AB: slop_air::AirBuilder<F = F>,
    SepticAir<F>: Air<AB>,
{
    fn eval(&self, builder: &mut AB) {
        self.inner.eval(builder);
    }
}

fn write(values: &[F], buffer: &mut [MaybeUninit<F>]) {
    assert!(values.len() <= buffer.len());
    for (out, &cell) in buffer.iter_mut().zip(values) {
        out.write(cell);
    }
}

/// The record's lookups: opcode, operands, number. A column of zeros is preprocessed: SP1 asks for some.
#[derive(Debug)]
struct Lookups;

/// Rows of [`Lookups`].
const LOOKUPS: usize = 1 << 10;

impl BaseAir<F> for Lookups {
    fn width(&self) -> usize {
        5
    }
}

impl MachineAir<F> for Lookups {
    type Record = Record;
    type Program = Program;

    fn name(&self) -> &'static str {
        "Lookups"
    }

    fn num_rows(&self, _: &Record) -> Option<usize> {
        Some(LOOKUPS)
    }

    fn generate_trace_into(&self, input: &Record, _: &mut Record, buffer: &mut [MaybeUninit<F>]) {
        let mut cells = Vec::with_capacity(5 * LOOKUPS);
        for (lookup, &count) in &input.execution.byte_lookups {
            let fields = [lookup.opcode as u32, lookup.a.into(), lookup.b.into(), lookup.c.into()];
            cells.extend(fields.map(F::from_canonical_u32));
            cells.push(F::from_canonical_usize(count));
        }
        assert!(cells.len() <= 5 * LOOKUPS);
        cells.resize(5 * LOOKUPS, F::zero());
        write(&cells, buffer);
    }

    fn included(&self, _: &Record) -> bool {
        true
    }

    fn preprocessed_width(&self) -> usize {
        1
    }

    fn preprocessed_num_rows(&self, _: &Program) -> Option<usize> {
        Some(LOOKUPS)
    }

    fn generate_preprocessed_trace_into(&self, _: &Program, buffer: &mut [MaybeUninit<F>]) {
        write(&[F::zero(); LOOKUPS], buffer);
    }
}

impl<AB: SP1AirBuilder<F = F>> Air<AB> for Lookups {
    fn eval(&self, builder: &mut AB) {
        let main = builder.main();
        let row = main.row_slice(0);
        builder.receive_byte(row[0], row[1], row[2], row[3], row[4]);
    }
}

/// The tables of the machine; the type parameter is there for the macro.
#[derive(sp1_derive::MachineAir, Debug)]
#[execution_record_path = "Record"]
#[program_path = "Program"]
#[builder_path = "sp1_core_machine::air::SP1CoreAirBuilder<F = F>"]
enum Table {
    Ours(Forge),
    Lookups(Lookups),
}

/// What became of a proof.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// The verifier accepts it.
    Accepted,
    /// Messages do not balance.
    Sums,
    /// Constraints are violated, in these tables and rows.
    Constraints(Vec<(&'static str, usize)>),
}

struct Forger {
    prover: Prover<Table>,
    forged: Arc<Mutex<Traces>>,
}

/// One forgery at a time: all of them use one prover.
static FORGER: LazyLock<Mutex<Forger>> = LazyLock::new(|| {
    let forged = Arc::default();
    let ours = |inner| Table::Ours(Forge { inner, forged: Arc::clone(&forged) });
    let mut tables: Vec<_> = SepticAir::all().into_iter().filter(is_ours).map(ours).collect();
    tables.push(Table::Lookups(Lookups));
    let parameters = Parameters { log_stacking_height: 12, max_log_row_count: 10, ..Parameters::testing() };
    let prover = RUNTIME.block_on(Prover::with(tables, parameters));
    Mutex::new(Forger { prover, forged })
});

/// Not one of SP1's tables.
fn is_ours(table: &SepticAir<F>) -> bool {
    table.preprocessed_width() == 0
}

/// The honest traces of a record.
pub(crate) fn traces(record: &Record) -> Traces {
    SepticAir::<F>::all()
        .iter()
        .filter(|table| is_ours(table) && table.included(record))
        .map(|table| (table.name(), table.generate_trace(record, &mut Record::default())))
        .collect()
}

/// The tables' constraints and messages.
static MACHINE: LazyLock<Machine<F, SepticAir<F>>> = LazyLock::new(|| machine(SepticAir::all()));

/// The lookups of a shard.
type ByteLookups = hashbrown::HashMap<ByteLookupEvent, usize>;

/// What the verifier should find, and the lookups that SP1's tables hold.
fn inspect(record: &Record, traces: &Traces) -> (Verdict, ByteLookups) {
    let mut lookups = ByteLookups::new();
    let mut balance: BTreeMap<(InteractionKind, Vec<u32>), F> = BTreeMap::new();
    let mut broken = Vec::new();
    let public_values = record.public_values();
    for chip in MACHINE.chips() {
        let Some(trace) = traces.get(chip.air.name()) else { continue };
        let messages = chip.sends().iter().map(|message| (message, F::one()));
        let messages: Vec<_> =
            messages.chain(chip.receives().iter().map(|message| (message, -F::one()))).collect();
        for row in trace.values.chunks_exact(trace.width) {
            for (message, sign) in &messages {
                let count = message.multiplicity.apply::<F, F>(&[], row);
                let values = message.values.iter().map(|x| x.apply::<F, F>(&[], row).as_canonical_u32());
                let values: Vec<u32> = values.collect();
                match (message.kind == InteractionKind::Byte).then(|| byte_lookup(&values)).flatten() {
                    Some(event) => *lookups.entry(event).or_insert(0) += count.as_canonical_u32() as usize,
                    None => *balance.entry((message.kind, values)).or_default() += *sign * count,
                }
            }
        }
        let failures =
            debug_constraints::<SP1GlobalContext, _>(chip, None, &trace.clone().into(), &public_values);
        broken.extend(failures.into_iter().map(|(row, ..)| (chip.air.name(), row)));
    }
    let verdict = if balance.values().any(|count| !count.is_zero()) {
        Verdict::Sums
    } else if broken.is_empty() {
        Verdict::Accepted
    } else {
        Verdict::Constraints(broken)
    };
    (verdict, lookups)
}

/// What the verifier should find, without a proof.
pub(crate) fn predict(record: &Record, traces: &Traces) -> Verdict {
    inspect(record, traces).0
}

/// Whether a verifier would refuse `row` of a table in the place of an honest one: a constraint of the row is violated,
/// another message than a lookup changes, or a lookup is in no table.
pub(crate) fn is_refused(table: &str, row: &[F], honest: &[F]) -> bool {
    let chip = MACHINE.chips().iter().find(|chip| chip.air.name() == table).unwrap();
    let public_values = Record::default().public_values();
    let main = RowMajorMatrix::new(row.to_vec(), row.len()).into();
    if !debug_constraints::<SP1GlobalContext, _>(chip, None, &main, &public_values).is_empty() {
        return true;
    }
    chip.sends().iter().chain(chip.receives()).any(|message| {
        let fields = |row| -> Vec<F> {
            let fields = message.values.iter().chain([&message.multiplicity]);
            fields.map(|x| x.apply::<F, F>(&[], row)).collect()
        };
        let values: Vec<u32> = fields(row).iter().map(F::as_canonical_u32).collect();
        match message.kind {
            InteractionKind::Byte => byte_lookup(&values).is_none(),
            _ => fields(row) != fields(honest),
        }
    })
}

/// Proves the record with these traces and verifies the proof.
///
/// # Panics
/// If the verifier does not find what it should.
pub(crate) fn judge(record: &Record, traces: &Traces) -> Verdict {
    let (expected, lookups) = inspect(record, traces);
    let mut record = record.clone();
    record.execution.byte_lookups = lookups;
    let forger = FORGER.lock().unwrap_or_else(PoisonError::into_inner);
    *forger.forged.lock().unwrap_or_else(PoisonError::into_inner) = traces.clone();
    let proof = RUNTIME.block_on(forger.prover.prove_records([record]));
    let found = match forger.prover.verify(&proof) {
        Ok(()) => "accepted",
        Err(MachineVerifierError::InvalidShardProof(ShardVerifierError::GkrVerificationFailed(
            LogupGkrVerificationError::CumulativeSumMismatch(..),
        ))) => "sums",
        Err(MachineVerifierError::InvalidShardProof(ShardVerifierError::ConstraintsCheckFailed(_))) => {
            "constraints"
        }
        Err(error) => panic!("refused for another reason: {error}"),
    };
    let agrees = match expected {
        Verdict::Accepted => found == "accepted",
        Verdict::Sums => found == "sums",
        Verdict::Constraints(_) => found == "constraints",
    };
    assert!(agrees, "{found}, but should be {expected:?}");
    expected
}

/// The lookup of these fields, if the tables hold it.
fn byte_lookup(values: &[u32]) -> Option<ByteLookupEvent> {
    let [opcode, a, b, c] = [0, 1, 2, 3].map(|i| values[i]);
    let lookup = |opcode, a, b, c| Some(ByteLookupEvent { opcode, a, b, c });
    let [small_b, small_c] = [b, c].map(|x| u8::try_from(x).ok());
    if opcode == ByteOpcode::Range as u32 {
        (b <= 16 && a < 1 << b && c == 0).then_some(())?;
        lookup(ByteOpcode::Range, u16::try_from(a).ok()?, small_b?, 0)
    } else if opcode == ByteOpcode::U8Range as u32 {
        (a == 0).then_some(())?;
        lookup(ByteOpcode::U8Range, 0, small_b?, small_c?)
    } else {
        panic!("the precompiles do not look up {opcode}")
    }
}

/// The rows of a trace.
pub(crate) trait Rows {
    /// Row `i`.
    fn row(&mut self, i: usize) -> &mut [F];
}

impl Rows for RowMajorMatrix<F> {
    fn row(&mut self, i: usize) -> &mut [F] {
        let width = self.width;
        &mut self.values[i * width..][..width]
    }
}

/// Where a precompile's columns are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shape {
    pub(crate) name: &'static str,
    pub(crate) pointers: usize,
    pub(crate) reads: usize,
    pub(crate) read_limbs: usize,
    /// Whether each forgery is proven; else most are only inspected.
    pub(crate) proofs: bool,
}

impl Shape {
    /// The address of word `i`; words that are read come after the point.
    pub(crate) fn address(&self, i: usize) -> usize {
        3 + 6 * self.pointers + 12 * i + if i < 7 { 0 } else { 28 }
    }

    /// The previous value of word `i`, 4 limbs.
    pub(crate) fn value(&self, i: usize) -> usize {
        self.address(i) + 3
    }

    /// The previous time of word `i`: `prev_high`, `prev_low`, `compare_low`, `diff_low_limb`, `diff_high_limb`.
    pub(crate) fn time(&self, i: usize) -> usize {
        self.address(i) + 7
    }

    /// Word `i` of the result, 4 limbs.
    pub(crate) fn result(&self, i: usize) -> usize {
        3 + 6 * self.pointers + 84 + 4 * i
    }

    /// The canonicity check of limb `i` of 32 bits of the point, the result, the point read.
    pub(crate) fn canonical(&self, i: usize) -> usize {
        3 + 6 * self.pointers + 112 + 12 * self.reads + i
    }

    /// The columns of the operation's own.
    pub(crate) fn witness(&self) -> usize {
        self.canonical(28 + self.read_limbs)
    }
}

/// The driver's row of the word at `address`: address 3, time 2 and value 4 before, time 2 and value 4 after, `is_real`.
pub(crate) fn memory_row(traces: &mut Traces, address: u64) -> &mut [F] {
    let limbs = [0, 16, 32].map(|shift| F::from_canonical_u64(address >> shift & 0xffff));
    let memory = traces.get_mut("MemoryDriver").unwrap();
    let width = memory.width;
    memory.values.chunks_exact_mut(width).find(|row| row[..3] == limbs).unwrap()
}

/// The limbs of 16 bits of a half of a word.
pub(crate) fn halves(x: u32) -> [F; 2] {
    [F::from_canonical_u32(x & 0xffff), F::from_canonical_u32(x >> 16)]
}

/// The half of a word with these limbs.
pub(crate) fn half(limbs: &[F]) -> u32 {
    limbs[0].as_canonical_u32() | limbs[1].as_canonical_u32() << 16
}
