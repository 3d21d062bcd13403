//! What a septic VERIFY costs SP1's prover beside the secp256k1 additions and doublings of an ecrecover, in one run.
//!
//! An ecrecover in an SP1 program makes 512 doublings and about 255 additions (two doublings and an addition a bit of its two
//! multiplications). Both sides have the same tables around the chips: bytes, ranges, syscalls and a light table for memory in
//! the place of SP1's own. What SP1 adds for memory and syscalls is left out on both sides.
//!
//! Every shard has costs that do not depend on its rows: the tables of bytes and ranges, and a share for each column. So each
//! side is measured with one signature and with many; the difference is what further signatures cost.
//!
//! `cargo run --release -p septic-sp1 --example compare -- VERIFYS ECRECOVERS REPETITIONS`

use std::mem::MaybeUninit;
use std::time::Instant;

use septic_curve::layout::{VerifyInput, encode_verify};
use septic_curve::{Point, Scalar256};
use septic_sp1::driver::{ByteTable, MemoryChip, RangeTable, SyscallChip};
use septic_sp1::precompile::SepticVerifyChip;
use septic_sp1::record::Syscall;
use septic_sp1::{Memory, Parameters, Prover, Record};
use slop_air::{Air, BaseAir};
use slop_algebra::PrimeField32;
use sp1_core_executor::events::{
    EllipticCurveAddEvent, EllipticCurveDoubleEvent, MemoryLocalEvent, MemoryReadRecord, MemoryRecord,
    MemoryWriteRecord, PrecompileEvent, SyscallEvent,
};
use sp1_core_executor::{ExecutionRecord, Program, SupervisorMode, SyscallCode};
use sp1_core_machine::air::SP1CoreAirBuilder;
use sp1_core_machine::riscv::{WeierstrassAddAssignChip, WeierstrassDoubleAssignChip};
use sp1_curves::weierstrass::secp256k1::Secp256k1;
use sp1_curves::{AffinePoint, EllipticCurve};
use sp1_hypercube::air::MachineAir;
use sp1_primitives::SP1Field;

/// Doublings of an ecrecover.
const DOUBLINGS: usize = 512;
/// Additions of an ecrecover.
const ADDITIONS: usize = 255;
/// Words of a secp256k1 point.
const WORDS: usize = 8;

/// A chip of SP1 over our record.
#[derive(Debug, Default)]
struct Foreign<A>(A);

impl<F, A: BaseAir<F>> BaseAir<F> for Foreign<A> {
    fn width(&self) -> usize {
        self.0.width()
    }
}

impl<F: PrimeField32, A: MachineAir<F, Record = ExecutionRecord, Program = Program>> MachineAir<F>
    for Foreign<A>
{
    type Record = Record;
    type Program = Program;

    fn name(&self) -> &'static str {
        self.0.name()
    }

    fn num_rows(&self, input: &Record) -> Option<usize> {
        self.0.num_rows(&input.execution)
    }

    fn generate_trace_into(&self, input: &Record, output: &mut Record, buffer: &mut [MaybeUninit<F>]) {
        self.0.generate_trace_into(&input.execution, &mut output.execution, buffer);
    }

    fn generate_dependencies(&self, input: &Record, output: &mut Record) {
        self.0.generate_dependencies(&input.execution, &mut output.execution);
    }

    fn included(&self, shard: &Record) -> bool {
        self.0.included(&shard.execution)
    }
}

impl<AB: SP1CoreAirBuilder, A: Air<AB>> Air<AB> for Foreign<A> {
    fn eval(&self, builder: &mut AB) {
        self.0.eval(builder);
    }
}

/// The tables.
#[derive(sp1_derive::MachineAir)]
#[execution_record_path = "Record"]
#[program_path = "Program"]
#[builder_path = "sp1_core_machine::air::SP1CoreAirBuilder<F = F>"]
enum CompareAir<F: PrimeField32> {
    Syscalls(SyscallChip),
    Memory(MemoryChip),
    Verify(SepticVerifyChip<SupervisorMode>),
    Add(Foreign<WeierstrassAddAssignChip<Secp256k1, SupervisorMode>>),
    Double(Foreign<WeierstrassDoubleAssignChip<Secp256k1, SupervisorMode>>),
    Byte(ByteTable<F>),
    Range(RangeTable<F>),
}

impl<F: PrimeField32> std::fmt::Debug for CompareAir<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

fn airs() -> Vec<CompareAir<SP1Field>> {
    vec![
        CompareAir::Syscalls(SyscallChip),
        CompareAir::Memory(MemoryChip),
        CompareAir::Verify(SepticVerifyChip::new()),
        CompareAir::Add(Foreign(WeierstrassAddAssignChip::new())),
        CompareAir::Double(Foreign(WeierstrassDoubleAssignChip::new())),
        CompareAir::Byte(ByteTable::default()),
        CompareAir::Range(RangeTable::default()),
    ]
}

/// N VERIFYs, each of its own buffer.
fn septic(n: u64) -> Record {
    let mut memory = Memory::new();
    let key = Point::GENERATOR.mul_vartime(&Scalar256::from(0x1234_5678_u64));
    for i in 1..=n {
        let scalar = |k: u32| Scalar256::from_le_limbs([k.wrapping_mul(0x9e37_79b9); 8]);
        let i = u32::try_from(i).expect("few");
        let a = key.mul_vartime(&Scalar256::from(u64::from(i)));
        let buffer = memory.store(&encode_verify(&VerifyInput { a, s: scalar(i), e: scalar(i + 7) }));
        memory.verify(buffer).expect("a valid buffer");
    }
    memory.finish_shard()
}

/// The additions and doublings of n ecrecovers, each of its own words.
fn secp256k1(n: usize) -> Record {
    let mut record = Record::default();
    let mut clk = 1;
    let mut next = 1 << 16;
    let g = <Secp256k1 as EllipticCurve>::ec_generator();
    let mut p = Secp256k1::ec_double(&g);
    let words = |point: &AffinePoint<Secp256k1>| point.to_words_le();
    for i in 0..n * (DOUBLINGS + ADDITIONS) {
        clk += 264;
        let adds = i % (DOUBLINGS + ADDITIONS) % 3 == 2;
        let sum = if adds { &p + &g } else { Secp256k1::ec_double(&p) };
        let p_ptr = next;
        next += 8 * WORDS as u64;
        let at = clk + u64::from(adds);
        let p_memory_records: Vec<MemoryWriteRecord> = words(&p)
            .iter()
            .zip(words(&sum))
            .map(|(&prev_value, value)| MemoryWriteRecord {
                prev_timestamp: 0,
                prev_page_prot_record: None,
                prev_value,
                timestamp: at,
                value,
            })
            .collect();
        let q_ptr = if adds { next } else { 0 };
        let mut touched: Vec<(u64, u64, u64, u64)> = (p_ptr..)
            .step_by(8)
            .zip(&p_memory_records)
            .map(|(addr, record)| (addr, record.prev_value, record.value, at))
            .collect();
        let (code, event) = if adds {
            next += 8 * WORDS as u64;
            let q_memory_records: Vec<MemoryReadRecord> = words(&g)
                .into_iter()
                .map(|value| MemoryReadRecord {
                    value,
                    timestamp: clk,
                    prev_timestamp: 0,
                    prev_page_prot_record: None,
                })
                .collect();
            touched
                .extend((q_ptr..).step_by(8).zip(&q_memory_records).map(|(a, r)| (a, r.value, r.value, clk)));
            let event = EllipticCurveAddEvent {
                clk,
                p_ptr,
                p: words(&p),
                q_ptr,
                q: words(&g),
                p_memory_records,
                q_memory_records,
                ..Default::default()
            };
            (SyscallCode::SECP256K1_ADD, PrecompileEvent::Secp256k1Add(event))
        } else {
            let event =
                EllipticCurveDoubleEvent { clk, p_ptr, p: words(&p), p_memory_records, ..Default::default() };
            (SyscallCode::SECP256K1_DOUBLE, PrecompileEvent::Secp256k1Double(event))
        };
        record.memory.extend(touched.into_iter().map(|(addr, before, after, timestamp)| MemoryLocalEvent {
            addr,
            initial_mem_access: MemoryRecord { timestamp: 0, value: before },
            final_mem_access: MemoryRecord { timestamp, value: after },
        }));
        let id = code.syscall_id();
        record.syscalls.push(Syscall { clk, id, arguments: [p_ptr, q_ptr] });
        let syscall = SyscallEvent {
            pc: 0,
            next_pc: 0,
            clk,
            should_send: true,
            syscall_code: code,
            syscall_id: id,
            arg1: p_ptr,
            arg2: q_ptr,
            exit_code: 0,
            sig_return_pc_record: None,
            trap_result: None,
            trap_error: None,
        };
        record.execution.add_precompile_event(code, syscall, event);
        p = sum;
    }
    record
}

/// Median milliseconds of proving a record.
async fn measure(prover: &Prover<CompareAir<SP1Field>>, record: &Record, repetitions: usize) -> f64 {
    let mut times = Vec::new();
    for _ in 0..repetitions {
        let record = record.clone();
        let start = Instant::now();
        let proof = prover.prove([record]).await;
        times.push(start.elapsed().as_secs_f64() * 1e3);
        prover.verify(&proof).expect("an honest record");
    }
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

#[tokio::main]
#[allow(clippy::print_stdout, clippy::cast_precision_loss, reason = "figures for whoever reads the output")]
async fn main() {
    let mut numbers = std::env::args().skip(1).map(|arg| arg.parse().expect("a number"));
    let verifys: usize = numbers.next().unwrap_or(1024);
    let ecrecovers: usize = numbers.next().unwrap_or(5);
    let repetitions = numbers.next().unwrap_or(3);
    let prover = Prover::with(airs(), Parameters { max_log_row_count: 18, ..Parameters::core() }).await;
    let width = |name: &str| {
        let chip = prover.machine().chips().iter().find(|chip| chip.name() == name).expect("a chip");
        chip.width()
    };
    let septic_one = measure(&prover, &septic(1), repetitions).await;
    let septic_many = measure(&prover, &septic(verifys as u64), repetitions).await;
    let secp_one = measure(&prover, &secp256k1(1), repetitions).await;
    let secp_many = measure(&prover, &secp256k1(ecrecovers), repetitions).await;
    let septic_each = (septic_many - septic_one) / (verifys - 1) as f64;
    let secp_each = (secp_many - secp_one) / (ecrecovers - 1) as f64;
    let cells = DOUBLINGS * width("Secp256k1DoubleAssign") + ADDITIONS * width("Secp256k1AddAssign");
    println!("                              septic VERIFY   secp256k1 ecrecover   ratio");
    let row = |name: &str, ours: f64, theirs: f64| {
        println!("{name:<30}{ours:>13.2}   {theirs:>19.2}   {:>5.0}", theirs / ours);
    };
    row("cells of chips a signature", width("SepticVerify") as f64, cells as f64);
    row("ms, a shard with one", septic_one, secp_one);
    row("ms, each further signature", septic_each, secp_each);
    println!(
        "shards of {verifys} VERIFYs: {septic_many:.0} ms; of {ecrecovers} ecrecovers: {secp_many:.0} ms"
    );
}
