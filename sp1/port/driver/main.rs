//! Checks the septic precompiles in SP1: execution, traces, proofs and costs.
//!
//! | command | does |
//! | --- | --- |
//! | `driver costs` | compares the files of costs with the chips, and checks SP1's limits |
//! | `driver execute [SYSCALL…]` | executes the program, or its part with these syscalls, and compares memory and events with `septic-curve` |
//! | `driver guest` | compares `septic-guest` on the executor with `septic-guest` on plain software, signatures included |
//! | `driver prove [SYSCALL…]` | as `execute`, then proves the execution with the CPU prover and verifies the proof |
//! | `driver list-rejected` | lists syscalls on bad input and the executor's messages |
//! | `driver reject NAME` | executes one of them, which must fail and end the process |
//!
//! The program is made of instructions: each case loads pointers, makes one syscall and compares the words of the
//! result with the expected ones. Its exit code is 0 if all are equal, and the proof shows it.

mod guest;

use std::{borrow::Borrow, collections::BTreeSet, process::ExitCode, sync::Arc, time::Instant};

use hashbrown::HashMap;
use septic_curve::{
    layout::{decode_scalar, encode_point, encode_scalar, encode_verify, VerifyInput, POINT_WORDS},
    Point, Scalar256,
};
use slop_algebra::AbstractField;
use slop_basefold::FriConfig;
use sp1_core_executor::{
    cost_and_height_per_syscall,
    events::{MemoryWriteRecord, PrecompileEvent},
    ExecutionRecord, Instruction, MinimalExecutor, Opcode, Program, RiscvAirId, SP1Context,
    SupervisorMode, SyscallCode, MAXIMUM_CYCLE_AREA, MAXIMUM_PADDING_AREA,
};
use sp1_core_executor_runner::MinimalExecutorRunner;
use sp1_core_machine::{riscv::RiscvAir, utils::generate_records};
use sp1_hypercube::{
    air::{MachineAir, PublicValues},
    prover::{CpuShardProver, SP1InnerPcsProver, SimpleProver},
    septic_digest::SepticDigest,
    Chip, InteractionKind, MachineProof, SP1InnerPcs, ShardVerifier,
};
use sp1_primitives::{SP1Field, SP1GlobalContext};

/// The registers that the program uses.
mod register {
    pub const CODE: u8 = 5;
    pub const ARG1: u8 = 10;
    pub const ARG2: u8 = 11;
    pub const FOUND: u8 = 13;
    pub const EXPECTED: u8 = 14;
    pub const DIFFERENCE: u8 = 15;
}

/// The address of the first case; each has 256 bytes.
const BASE: u64 = 0x20_0000;
const STRIDE: u64 = 0x100;
/// Where in its 256 bytes a case has its second operand and the expected result.
const SECOND: u64 = 0x40;
const EXPECTED: u64 = 0x80;

/// One syscall.
#[derive(Clone)]
struct Case {
    name: &'static str,
    code: SyscallCode,
    /// The words at the first pointer.
    first: Vec<u64>,
    /// The words at the second pointer.
    second: Vec<u64>,
    /// The second argument; `None` is the pointer to the second operand.
    arg2: Option<Arg2>,
    /// The point that must be at the first pointer afterwards.
    expected: Point,
}

/// A second argument that is not the pointer to the second operand.
#[derive(Clone, Copy, PartialEq)]
enum Arg2 {
    Zero,
    SameAsFirst,
}

fn add(name: &'static str, p: Point, q: Point) -> Case {
    let (first, second) = (encode_point(&p).to_vec(), encode_point(&q).to_vec());
    Case { name, code: SyscallCode::SEPTIC_ADD, first, second, arg2: None, expected: p + q }
}

fn add_to_itself(name: &'static str, p: Point) -> Case {
    Case { second: Vec::new(), arg2: Some(Arg2::SameAsFirst), ..add(name, p, p) }
}

fn double(name: &'static str, p: Point) -> Case {
    Case {
        name,
        code: SyscallCode::SEPTIC_DOUBLE,
        first: encode_point(&p).to_vec(),
        second: Vec::new(),
        arg2: Some(Arg2::Zero),
        expected: p + p,
    }
}

fn scalar_mul(name: &'static str, p: Point, s: Scalar256) -> Case {
    Case {
        name,
        code: SyscallCode::SEPTIC_SCALAR_MUL,
        first: encode_point(&p).to_vec(),
        second: encode_scalar(&s).to_vec(),
        arg2: None,
        expected: p.mul_vartime(&s),
    }
}

/// The first words of the point are the scalar, too.
fn scalar_mul_by_itself(name: &'static str, p: Point) -> Case {
    let words = encode_point(&p);
    let s = decode_scalar(&std::array::from_fn(|i| words[i]));
    let arg2 = Some(Arg2::SameAsFirst);
    Case { second: Vec::new(), arg2, ..scalar_mul(name, p, s) }
}

fn verify(name: &'static str, a: Point, s: Scalar256, e: Scalar256) -> Case {
    Case {
        name,
        code: SyscallCode::SEPTIC_VERIFY,
        first: encode_verify(&VerifyInput { a, s, e }).to_vec(),
        second: Vec::new(),
        arg2: Some(Arg2::Zero),
        expected: Point::GENERATOR.mul_vartime(&s) + a.mul_vartime(&e),
    }
}

/// Syscalls on every kind of input.
fn cases() -> Vec<Case> {
    let g = Point::GENERATOR;
    let identity = Point::Identity;
    let small = Scalar256::from(3_141_592_653_589_793_238);
    let all_ones = Scalar256::from_le_limbs([u32::MAX; 8]);
    let mixed = Scalar256::from_le_limbs(std::array::from_fn(|i| {
        0x9e37_79b9_u32.wrapping_mul(2 * i as u32 + 1)
    }));
    let (one, zero) = (Scalar256::from(1), Scalar256::from(0));
    let p = g.mul_vartime(&mixed);
    vec![
        add("P + Q", p, g),
        add("P + P", p, p),
        add_to_itself("P + P, one pointer", p),
        add("P - P", p, -p),
        add("O + Q", identity, p),
        add("P + O", p, identity),
        add("O + O", identity, identity),
        double("2P", p),
        double("2O", identity),
        scalar_mul("sP", p, mixed),
        scalar_mul("(2^256 - 1)P", p, all_ones),
        scalar_mul("0P", p, zero),
        scalar_mul("1P", p, one),
        scalar_mul("sO", identity, mixed),
        scalar_mul_by_itself("sP, one pointer", p),
        verify("sG + eA", p, mixed, small),
        verify("A = G", g, small, mixed),
        verify("A = -G, e = s", -g, mixed, mixed),
        verify("A = O", identity, mixed, all_ones),
        verify("s = e = 0", p, zero, zero),
    ]
}

/// The cases of these syscalls, of all if none is named.
fn cases_of(syscalls: &[&str]) -> Vec<Case> {
    let named = |case: &Case| syscalls.is_empty() || syscalls.contains(&&*case.code.to_string());
    cases().into_iter().filter(named).collect()
}

/// Syscalls that must not be executed, and what the executor says about them.
fn bad_cases() -> Vec<(Case, &'static str)> {
    let g = Point::GENERATOR;
    let (s, zero) = (Scalar256::from(7), Scalar256::from(0));
    let (on_curve, limb) = ("the point is not on the curve", "is not below p");
    let argument = "the second argument must be 0";
    let off_curve = |mut case: Case| {
        case.first[0] ^= 1;
        (case, on_curve)
    };
    // The lowest limb plus the characteristic: the same residue, and it still fits in 32 bits.
    let not_canonical = |mut case: Case| {
        case.first[0] += 0x7f00_0001;
        (case, limb)
    };
    let mut second = add("add-off-curve-q", g, g);
    second.second[6] ^= 1 << 40;
    let mut x_only = double("double-y-zero", g);
    x_only.first[3] &= 0xffff_ffff;
    x_only.first[4..].fill(0);
    let with_argument = |case: Case| (Case { arg2: Some(Arg2::SameAsFirst), ..case }, argument);
    vec![
        off_curve(add("add-off-curve-p", g, g)),
        (second, on_curve),
        not_canonical(add("add-not-canonical", g, g)),
        off_curve(double("double-off-curve", g)),
        (x_only, on_curve),
        not_canonical(double("double-not-canonical", g)),
        with_argument(double("double-second-argument", g)),
        off_curve(scalar_mul("scalar-mul-off-curve", g, s)),
        // Even if the result does not depend on the point.
        off_curve(scalar_mul("scalar-mul-off-curve-by-0", g, zero)),
        not_canonical(scalar_mul("scalar-mul-not-canonical", g, s)),
        off_curve(verify("verify-off-curve", g, s, s)),
        off_curve(verify("verify-off-curve-by-0", g, s, zero)),
        not_canonical(verify("verify-not-canonical", g, s, s)),
        with_argument(verify("verify-second-argument", g, s, s)),
    ]
}

/// The program that makes the syscalls of `cases`.
fn program(cases: &[Case]) -> Program {
    use register::{ARG1, ARG2, CODE, DIFFERENCE, FOUND};
    let mut instructions = Vec::new();
    let mut memory = HashMap::new();
    let set = |register, value| Instruction::new(Opcode::ADDI, register, 0, value, false, true);
    let load = |register, address| Instruction::new(Opcode::LD, register, 0, address, false, true);
    let ecall =
        Instruction::new(Opcode::ECALL, CODE, u64::from(ARG1), u64::from(ARG2), false, false);
    for (case, base) in cases.iter().zip((BASE..).step_by(STRIDE as usize)) {
        let mut store = |address: u64, words: &[u64]| {
            memory.extend(words.iter().zip((address..).step_by(8)).map(|(&word, at)| (at, word)));
        };
        store(base, &case.first);
        store(base + SECOND, &case.second);
        store(base + EXPECTED, &encode_point(&case.expected));
        let arg2 = match case.arg2 {
            None => base + SECOND,
            Some(Arg2::Zero) => 0,
            Some(Arg2::SameAsFirst) => base,
        };
        instructions.extend([set(CODE, case.code as u64), set(ARG1, base), set(ARG2, arg2), ecall]);
        for offset in (0..8 * POINT_WORDS as u64).step_by(8) {
            let [found, expected] = [u64::from(FOUND), u64::from(register::EXPECTED)];
            instructions.extend([
                load(FOUND, base + offset),
                load(register::EXPECTED, base + EXPECTED + offset),
                Instruction::new(Opcode::XOR, FOUND, found, expected, false, false),
                Instruction::new(
                    Opcode::OR,
                    DIFFERENCE,
                    u64::from(DIFFERENCE),
                    found,
                    false,
                    false,
                ),
            ]);
        }
    }
    // Exit code 1 if any word was different.
    instructions.push(Instruction::new(Opcode::SLTU, ARG1, 0, u64::from(DIFFERENCE), false, false));
    instructions.extend([set(CODE, SyscallCode::HALT as u64), ecall]);
    let mut program = Program::new(instructions, 0, 0);
    program.memory_image = Arc::new(memory);
    program
}

/// The cases with a syscall that SP1 has a chip for.
fn provable(cases: &[Case]) -> Vec<Case> {
    cases.iter().filter(|case| case.code.as_air_id().is_some()).cloned().collect()
}

/// Executes the program in the minimal executor.
fn run(program: Arc<Program>) -> MinimalExecutorRunner {
    let mut executor = MinimalExecutorRunner::simple(program);
    while executor.execute_chunk().is_some() {}
    executor
}

/// The words that an event wrote over its point.
fn written(event: &PrecompileEvent) -> Option<&[MemoryWriteRecord]> {
    match event {
        PrecompileEvent::SepticAdd(event) => Some(&event.p_memory_records),
        PrecompileEvent::SepticDouble(event) => Some(&event.p_memory_records),
        PrecompileEvent::SepticScalarMul(event) => Some(&event.p_memory_records),
        PrecompileEvent::SepticVerify(event) => Some(&event.a_memory_records),
        _ => None,
    }
}

/// Executes the program in all machines: the records of the shards.
fn records(program: Arc<Program>) -> Vec<ExecutionRecord> {
    let (stdin, opts, context) = Default::default();
    let SP1Context { proof_nonce, .. } = context;
    let records = generate_records::<SP1Field>(program, stdin, opts, proof_nonce);
    records.expect("no execution error").0
}

/// The public values of a shard.
type Values = PublicValues<[SP1Field; 4], [SP1Field; 3], [SP1Field; 4], SP1Field>;

/// Executes the program and compares memory and events with what is expected.
fn execute(cases: &[Case]) {
    let executor = run(Arc::new(program(cases)));
    for (case, base) in cases.iter().zip((BASE..).step_by(STRIDE as usize)) {
        for (i, word) in encode_point(&case.expected).into_iter().enumerate() {
            let found = executor.get_memory_value(base + 8 * i as u64).value;
            assert_eq!(found, word, "{}: word {i} in memory", case.name);
        }
    }
    assert_eq!(executor.exit_code(), 0, "the program found a difference");

    let cases = provable(cases);
    let records = records(Arc::new(program(&cases)));
    let mut events: Vec<_> = records
        .iter()
        .flat_map(|record| record.precompile_events.all_events())
        .filter_map(|(syscall, event)| Some((syscall.clk, written(event)?)))
        .collect();
    events.sort_by_key(|(clk, _)| *clk);
    assert_eq!(events.len(), cases.len(), "one event for each syscall");
    for (case, (_, writes)) in cases.iter().zip(events) {
        let words: Vec<u64> = writes.iter().map(|write| write.value).collect();
        assert_eq!(words, encode_point(&case.expected), "{}: event", case.name);
        let before: Vec<u64> = writes.iter().map(|write| write.prev_value).collect();
        assert_eq!(before, case.first[..POINT_WORDS], "{}: event", case.name);
    }
    println!("executed {} syscalls, {} shards", cases.len(), records.len());
}

/// Proves the program and verifies the proof.
async fn prove(cases: &[Case]) {
    let mut septic = BTreeSet::new();
    let program = Arc::new(program(&provable(cases)));
    let verifier = ShardVerifier::from_basefold_parameters(
        FriConfig::default_fri_config(),
        21,
        22,
        RiscvAir::machine(),
    );
    let shard_prover = CpuShardProver::<SP1GlobalContext, SP1InnerPcs, SP1InnerPcsProver, _>::new(
        verifier.clone(),
    );
    let prover = SimpleProver::new(verifier, shard_prover);
    let (preprocessed, vk) = prover.setup(program.clone()).await;
    // SAFETY: The key is not used for anything else.
    let pk = unsafe { preprocessed.into_inner() };

    // Not `prove_core`: it sorts shards by their clocks, which deferred shards share, and so loses all but one.
    let mut proofs = Vec::new();
    for record in records(program) {
        let start = Instant::now();
        let proof = prover.prove_shard(pk.clone(), record).await;
        let chips: Vec<_> = proof.opened_values.chips.keys().map(|name| name.as_str()).collect();
        println!("proved in {:.1?}: {}", start.elapsed(), chips.join(" "));
        proofs.push(proof);
    }

    let start = Instant::now();
    let proof = MachineProof::from(proofs);
    prover.verify(&vk, &proof).expect("the proof is valid");
    println!("verified {} shards in {:.1?}", proof.shard_proofs.len(), start.elapsed());

    // What the recursive verifier checks across shards: messages between them balance, and the exit code.
    let values: Vec<&Values> =
        proof.shard_proofs.iter().map(|shard| shard.public_values.as_slice().borrow()).collect();
    let sum = |left_out: Option<usize>| -> SepticDigest<SP1Field> {
        let shards = values.iter().enumerate().filter(|(i, _)| Some(*i) != left_out);
        let sums = shards.map(|(_, values)| values.global_cumulative_sum);
        std::iter::once(vk.initial_global_cumulative_sum).chain(sums).sum()
    };
    assert!(sum(None).is_zero(), "messages between shards do not balance");
    for (i, shard) in proof.shard_proofs.iter().enumerate() {
        assert!(!sum(Some(i)).is_zero(), "shard {i} is not needed");
        let values = values[i];
        assert_eq!(values.exit_code, SP1Field::zero(), "the proof is one of a difference");
        septic.extend(shard.opened_values.chips.keys().filter(|name| name.starts_with("Septic")));
    }
    let expected: BTreeSet<_> = cases
        .iter()
        .filter_map(|case| Some(case.code.as_air_id()?.as_str()))
        .map(String::from)
        .collect();
    assert_eq!(septic, expected.iter().collect(), "one shard for each syscall");
}

/// Compares the files of costs with the chips.
fn costs() {
    let (chips, costs) = RiscvAir::<SP1Field>::get_chips_and_costs();
    let filed = sp1_core_executor::rv64im_costs();
    let complexity = sp1_core_executor::get_complexity_mapping();
    let mut septic = 0;
    for chip in &chips {
        let id = chip.air.id();
        let cost = costs[chip.name()];
        if id.as_str().starts_with("Septic") {
            septic += 1;
            println!("{id}: {cost} columns, {} constraints", chip.num_constraints);
        }
        assert_eq!(filed[&id] as u64, cost, "columns of {id}");
        assert_eq!(complexity[id], chip.num_constraints as u64, "constraints of {id}");
    }
    let provable = provable(&cases());
    let codes: BTreeSet<_> = provable.iter().map(|case| case.code).collect();
    assert_eq!(septic, 2 * codes.len(), "two septic chips for each of {codes:?}");
    println!("costs of {} chips are those filed", chips.len());
}

/// Checks SP1's own limits for the septic chips: messages, columns of a shard, cells of a syscall.
fn limits() {
    let septic = |chip: &Chip<SP1Field, RiscvAir<SP1Field>>| chip.name().starts_with("Septic");
    let machine = RiscvAir::<SP1Field>::machine();
    for chip in machine.chips().iter().filter(|chip| septic(chip)) {
        let messages = || chip.sends().iter().chain(chip.receives());
        for message in messages() {
            assert_eq!(message.kind.num_values(), message.values.len(), "{}", chip.name());
        }
        for kind in InteractionKind::all_kinds() {
            let count = messages().filter(|message| message.kind == kind).count();
            assert!(count as u64 <= chip.cost(), "{}: {count} messages {kind}", chip.name());
        }
        println!("{}: {} messages", chip.name(), messages().count());
    }
    let clusters = machine.shape().chip_clusters.iter();
    for cluster in clusters.filter(|cluster| cluster.iter().any(septic)) {
        let columns: u64 = cluster.iter().map(Chip::cost).sum();
        let names: Vec<_> = cluster.iter().map(MachineAir::name).collect();
        println!("{columns} columns: {}", names.join(" "));
        assert!(32 * columns <= MAXIMUM_PADDING_AREA);
    }
    let costs = sp1_core_executor::rv64im_costs();
    let codes: BTreeSet<_> = provable(&cases()).iter().map(|case| case.code).collect();
    for code in codes {
        let (cells, _) = cost_and_height_per_syscall(code, &costs, false);
        println!(
            "{code}: {cells} cells, {} in the shard of the call",
            costs[&RiscvAirId::SyscallInstrs]
        );
        let bumps = 32 * costs[&RiscvAirId::MemoryBump] + costs[&RiscvAirId::StateBump];
        let cells = cells + costs[&RiscvAirId::SyscallInstrs] + bumps;
        assert!(cells as u64 <= MAXIMUM_CYCLE_AREA);
    }
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["costs"] => {
            costs();
            limits();
        }
        ["execute", ref syscalls @ ..] => execute(&cases_of(syscalls)),
        ["guest"] => guest::compare(),
        ["prove", ref syscalls @ ..] => {
            let cases = cases_of(syscalls);
            execute(&cases);
            let runtime = tokio::runtime::Runtime::new().expect("a runtime");
            runtime.block_on(prove(&cases));
        }
        ["list-rejected"] => {
            bad_cases().iter().for_each(|(case, reason)| println!("{}\t{reason}", case.name));
        }
        ["reject", name] => {
            let Some((case, _)) = bad_cases().into_iter().find(|(case, _)| case.name == name)
            else {
                eprintln!("no such case: {name}");
                return ExitCode::from(2);
            };
            let program = Arc::new(program(&[case]));
            let error = MinimalExecutorRunner::simple(program.clone()).try_execute_chunk().err();
            println!("{}", error.map_or("executed".into(), |error| format!("refused: {error}")));
            // In this process, which then ends: the executor's own message.
            let mut executor = MinimalExecutor::<SupervisorMode>::simple(program);
            while executor.execute_chunk().is_some() {}
        }
        _ => {
            eprintln!("driver costs | execute [SYSCALL…] | guest | prove [SYSCALL…] | list-rejected | reject NAME");
            return ExitCode::from(2);
        }
    }
    ExitCode::SUCCESS
}
