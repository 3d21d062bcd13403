//! The change itself: new files and insertions. All text is ours; SP1's is only named by anchors.

use std::borrow::Cow;

use crate::edit::{
    Edit,
    Place::{self, After, Before, End, Into},
};

/// New files: the path in the changed copy and the text.
pub(crate) const FILES: &[(&str, &str)] = &[
    (
        "crates/core/executor/src/minimal/precompiles/septic.rs",
        include_str!("../../../port/executor/minimal.rs"),
    ),
    (
        "crates/core/executor/src/vm/syscall/precompiles/septic.rs",
        include_str!("../../../port/executor/vm.rs"),
    ),
    (
        "crates/core/machine/src/syscall/precompiles/septic/host.rs",
        include_str!("../../../port/machine/host.rs"),
    ),
    ("crates/zkvm/entrypoint/src/syscalls/septic.rs", include_str!("../../../port/guest/syscalls.rs")),
    ("crates/zkvm/lib/src/septic.rs", include_str!("../../../port/guest/lib.rs")),
    ("driver/Cargo.toml", include_str!("../../../port/driver/Cargo.toml.in")),
    ("driver/src/guest.rs", include_str!("../../../port/driver/guest.rs")),
    ("driver/src/main.rs", include_str!("../../../port/driver/main.rs")),
];

/// An insertion.
const fn edit(file: &'static str, within: &'static [&'static str], place: Place, text: &'static str) -> Edit {
    Edit { file, within, place, text: Cow::Borrowed(text) }
}

const SYSCALL_CODE: &str = "crates/core/executor/src/syscall_code.rs";
const AIR: &str = "crates/core/executor/src/air.rs";
const EVENTS: &str = "crates/core/executor/src/events/precompiles/mod.rs";
const ECALL: &str = "crates/core/executor/src/minimal/ecall.rs";
const VM: &str = "crates/core/executor/src/vm/syscall.rs";
const RISCV: &str = "crates/core/machine/src/riscv/mod.rs";
const MACHINE_FN: &[&str] = &["impl<F: PrimeField32> RiscvAir<F>", "pub fn machine()"];
const SYSCALLS: &str = "crates/zkvm/entrypoint/src/syscalls/mod.rs";
const LIB: &str = "crates/zkvm/lib/src/lib.rs";

const MACHINE_DEPENDENCIES: &str = "
[dependencies.septic-chips]
path = \"../../../septic/chips\"

[dependencies.septic-curve]
path = \"../../../septic/curve\"

[dependencies.septic-trace]
path = \"../../../septic/trace\"
";

/// The insertions that do not depend on the chips, in order.
pub(crate) const EDITS: &[Edit] = &[
    // Executor: dependency.
    edit(
        "crates/core/executor/Cargo.toml",
        &[],
        End,
        "\n[dependencies.septic-curve]\npath = \"../../../septic/curve\"\n",
    ),
    // Executor: syscall codes.
    edit(
        SYSCALL_CODE,
        &["pub enum SyscallCode"],
        After("HINT_MPROTECT_FLUSH ="),
        "
/// Executes the `SEPTIC_ADD` precompile.
SEPTIC_ADD = 0x00_00_01_36,

/// Executes the `SEPTIC_DOUBLE` precompile.
SEPTIC_DOUBLE = 0x00_00_01_37,

/// Executes the `SEPTIC_SCALAR_MUL` precompile.
SEPTIC_SCALAR_MUL = 0x00_00_01_38,

/// Executes the `SEPTIC_VERIFY` precompile.
SEPTIC_VERIFY = 0x00_00_01_39,
",
    ),
    edit(
        SYSCALL_CODE,
        &["impl SyscallCode", "pub fn from_u32("],
        Before("_ =>"),
        "\
0x00_00_01_36 => SyscallCode::SEPTIC_ADD,
0x00_00_01_37 => SyscallCode::SEPTIC_DOUBLE,
0x00_00_01_38 => SyscallCode::SEPTIC_SCALAR_MUL,
0x00_00_01_39 => SyscallCode::SEPTIC_VERIFY,
",
    ),
    edit(
        SYSCALL_CODE,
        &["impl SyscallCode", "pub fn touched_addresses("],
        Before("_ =>"),
        "\
SyscallCode::SEPTIC_ADD => 2 * 7,
SyscallCode::SEPTIC_DOUBLE => 7,
SyscallCode::SEPTIC_SCALAR_MUL => 7 + 4,
SyscallCode::SEPTIC_VERIFY => 7 + 4 + 4,
",
    ),
    edit(
        SYSCALL_CODE,
        &["impl SyscallCode", "pub fn touched_pages("],
        Before("_ =>"),
        "\
SyscallCode::SEPTIC_ADD | SyscallCode::SEPTIC_SCALAR_MUL => 2 * 2,
SyscallCode::SEPTIC_DOUBLE | SyscallCode::SEPTIC_VERIFY => 2,
",
    ),
    // Executor: names of the tables.
    edit(
        AIR,
        &["pub enum RiscvAirId"],
        End,
        "\
/// The septic add chip.
SepticAdd = 122,
/// The septic add chip for user mode.
SepticAddUser = 123,
/// The septic double chip.
SepticDouble = 124,
/// The septic double chip for user mode.
SepticDoubleUser = 125,
/// The septic scalar multiplication chip.
SepticScalarMul = 126,
/// The septic scalar multiplication chip for user mode.
SepticScalarMulUser = 127,
/// The septic Schnorr verification chip.
SepticVerify = 128,
/// The septic Schnorr verification chip for user mode.
SepticVerifyUser = 129,
",
    ),
    // Executor: events.
    edit(EVENTS, &[], After("mod poseidon2;"), "mod septic;\n"),
    edit(EVENTS, &[], After("pub use poseidon2::*;"), "pub use septic::*;\n"),
    edit(
        EVENTS,
        &["pub enum PrecompileEvent"],
        End,
        "\
/// Septic curve add precompile event.
SepticAdd(SepticAddEvent),
/// Septic curve double precompile event.
SepticDouble(SepticDoubleEvent),
/// Septic curve scalar multiplication precompile event.
SepticScalarMul(SepticScalarMulEvent),
/// Septic curve Schnorr verification precompile event.
SepticVerify(SepticVerifyEvent),
",
    ),
    edit(
        EVENTS,
        &["impl PrecompileLocalMemory for", "fn get_local_mem_events("],
        Into("match event {"),
        "\
PrecompileEvent::SepticAdd(e) => iterators.push(e.local_mem_access.iter()),
PrecompileEvent::SepticDouble(e) => iterators.push(e.local_mem_access.iter()),
PrecompileEvent::SepticScalarMul(e) => iterators.push(e.local_mem_access.iter()),
PrecompileEvent::SepticVerify(e) => iterators.push(e.local_mem_access.iter()),
",
    ),
    edit(
        EVENTS,
        &["impl PrecompileLocalMemory for", "fn get_local_page_prot_events("],
        Into("match event {"),
        "\
PrecompileEvent::SepticAdd(e) => iterators.push(e.local_page_prot_access.iter()),
PrecompileEvent::SepticDouble(e) => iterators.push(e.local_page_prot_access.iter()),
PrecompileEvent::SepticScalarMul(e) => {
    iterators.push(e.local_page_prot_access.iter());
}
PrecompileEvent::SepticVerify(e) => iterators.push(e.local_page_prot_access.iter()),
",
    ),
    // Executor: minimal executor.
    edit(
        "crates/core/executor/src/minimal/precompiles/mod.rs",
        &[],
        After("pub mod poseidon2;"),
        "pub mod septic;\n",
    ),
    edit(
        ECALL,
        &[],
        After("poseidon2::poseidon2,"),
        "septic::{septic_add, septic_double, septic_scalar_mul, septic_verify},\n",
    ),
    edit(
        ECALL,
        &["pub fn ecall_handler("],
        Before("SyscallCode::HALT =>"),
        "\
SyscallCode::SEPTIC_ADD => septic_add(ctx, arg1, arg2),
SyscallCode::SEPTIC_DOUBLE => septic_double(ctx, arg1, arg2),
SyscallCode::SEPTIC_SCALAR_MUL => septic_scalar_mul(ctx, arg1, arg2),
SyscallCode::SEPTIC_VERIFY => septic_verify(ctx, arg1, arg2),
",
    ),
    // Executor: the other machines.
    edit(
        "crates/core/executor/src/vm/syscall/precompiles/mod.rs",
        &[],
        After("pub mod keccak256;"),
        "pub mod septic;\n",
    ),
    edit(
        VM,
        &["pub(crate) fn sp1_ecall_handler<"],
        After("SyscallCode::POSEIDON2 =>"),
        "\
SyscallCode::SEPTIC_ADD => precompiles::septic::septic_add(rt, code, args1, args2),
SyscallCode::SEPTIC_DOUBLE => precompiles::septic::septic_double(rt, code, args1, args2),
SyscallCode::SEPTIC_SCALAR_MUL => {
    precompiles::septic::septic_scalar_mul(rt, code, args1, args2)
}
SyscallCode::SEPTIC_VERIFY => precompiles::septic::septic_verify(rt, code, args1, args2),
",
    ),
    // Guest.
    edit(SYSCALLS, &[], After("mod secp256r1;"), "mod septic;\n"),
    edit(SYSCALLS, &[], After("pub use secp256r1::*;"), "pub use septic::*;\n"),
    edit(
        SYSCALLS,
        &[],
        After("pub const HINT_MPROTECT_FLUSH:"),
        "
/// Executes the `SEPTIC_ADD` precompile.
pub const SEPTIC_ADD: u32 = 0x00_00_01_36;

/// Executes the `SEPTIC_DOUBLE` precompile.
pub const SEPTIC_DOUBLE: u32 = 0x00_00_01_37;

/// Executes the `SEPTIC_SCALAR_MUL` precompile.
pub const SEPTIC_SCALAR_MUL: u32 = 0x00_00_01_38;

/// Executes the `SEPTIC_VERIFY` precompile.
pub const SEPTIC_VERIFY: u32 = 0x00_00_01_39;
",
    ),
    edit(LIB, &[], After("pub mod secp256r1;"), "pub mod septic;\n"),
    edit(
        LIB,
        &["extern \"C\" {"],
        End,
        "
/// Writes the sum of two points of the septic curve over the first one.
pub fn syscall_septic_add(p: *mut [u64; 7], q: *const [u64; 7]);

/// Doubles a point of the septic curve in place.
pub fn syscall_septic_double(p: *mut [u64; 7]);

/// Multiplies a point of the septic curve by a 256-bit scalar, in place.
pub fn syscall_septic_scalar_mul(p: *mut [u64; 7], s: *const [u64; 4]);

/// Writes s·G + e·A over A, in the buffer [A, s, e].
pub fn syscall_septic_verify(buffer: *mut [u64; 15]);
",
    ),
];

/// The syscalls and the names of their operations, as in `SepticAddChip`.
const SYSCALL_NAMES: &[(&str, &str)] =
    &[("ADD", "Add"), ("DOUBLE", "Double"), ("SCALAR_MUL", "ScalarMul"), ("VERIFY", "Verify")];

/// The insertions that name the tables of the syscalls. Without a chip a syscall is executed but cannot be proved.
pub(crate) fn table_edits(operations: &[&str]) -> Vec<Edit> {
    let arms = |mode: &str| -> String {
        let table = |name: &str| {
            if operations.contains(&name) {
                format!("RiscvAirId::Septic{name}{mode}")
            } else {
                "return None".into()
            }
        };
        SYSCALL_NAMES
            .iter()
            .map(|(code, name)| format!("SyscallCode::SEPTIC_{code} => {},\n", table(name)))
            .collect()
    };
    let precompiles = operations.iter().map(|name| format!("| RiscvAirId::Septic{name}\n")).collect();
    vec![
        owned(SYSCALL_CODE, &["impl SyscallCode", "pub fn as_air_id("], Into("Some(match self {"), arms("")),
        owned(
            SYSCALL_CODE,
            &["impl SyscallCode", "pub fn as_air_id_user("],
            Into("Some(match self {"),
            arms("User"),
        ),
        owned(
            AIR,
            &["impl RiscvAirId", "pub fn is_precompile("],
            After("| RiscvAirId::Poseidon2"),
            precompiles,
        ),
    ]
}

/// The insertions that register the chips of these operations.
pub(crate) fn machine_edits(operations: &[&str]) -> Vec<Edit> {
    let lines =
        |line: &dyn Fn(&str) -> String| -> String { operations.iter().map(|name| line(name)).collect() };
    let airs = |indent: &str| {
        lines(&|name| {
            format!(
                "{indent}RiscvAir::Septic{name}(Septic{name}Chip::default()),\n\
                 {indent}RiscvAir::Septic{name}User(Septic{name}Chip::default()),\n"
            )
        })
    };
    let names: Vec<String> = operations.iter().map(|name| format!("Septic{name}Chip")).collect();
    let cost = "\
] {
    let chip = Chip::new(air);
    costs.insert(chip.name().to_string(), chip.cost());
    chips.push(chip);
}

";
    vec![
        edit("crates/core/machine/Cargo.toml", &[], End, MACHINE_DEPENDENCIES),
        edit(
            "crates/core/machine/src/syscall/precompiles/mod.rs",
            &[],
            After("pub mod poseidon2;"),
            "pub mod septic;\n",
        ),
        owned(
            RISCV,
            &["pub(crate) mod riscv_chips"],
            After("poseidon2::Poseidon2Chip,"),
            format!("septic::{{{}}},\n", names.join(", ")),
        ),
        owned(
            RISCV,
            &["pub enum RiscvAir<F: PrimeField32>"],
            End,
            lines(&|name| {
                format!(
                    "/// A precompile of the septic curve: {name}.\n\
                     Septic{name}(Septic{name}Chip<SupervisorMode>),\n\
                     /// A precompile of the septic curve: {name} (user mode).\n\
                     Septic{name}User(Septic{name}Chip<UserMode>),\n"
                )
            }),
        ),
        owned(RISCV, MACHINE_FN, After("RiscvAir::Poseidon2User("), airs("")),
        owned(
            RISCV,
            MACHINE_FN,
            Into("let precompile_clusters = ["),
            lines(&|name| format!("[Septic{name}].as_slice(),\n")),
        ),
        owned(
            RISCV,
            MACHINE_FN,
            Into("let precompile_clusters_user = ["),
            lines(&|name| format!("[Septic{name}User].as_slice(),\n")),
        ),
        owned(
            RISCV,
            &["impl<F: PrimeField32> RiscvAir<F>", "pub fn get_chips_and_costs()"],
            Before("assert_eq!(chips.len(), costs.len()"),
            format!("for air in [\n{}{cost}", airs("    ")),
        ),
        owned(
            RISCV,
            &["impl From<RiscvAirDiscriminants> for RiscvAirId"],
            After("RiscvAirDiscriminants::Poseidon2User =>"),
            lines(&|name| {
                format!(
                    "RiscvAirDiscriminants::Septic{name} => RiscvAirId::Septic{name},\n\
                     RiscvAirDiscriminants::Septic{name}User => RiscvAirId::Septic{name}User,\n"
                )
            }),
        ),
    ]
}

/// An insertion that depends on the operations.
fn owned(file: &'static str, within: &'static [&'static str], place: Place, text: String) -> Edit {
    Edit { file, within, place, text: Cow::Owned(text) }
}
