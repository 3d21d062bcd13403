//! The chips: copies of this crate's modules for SP1, and what they cost.

use std::path::Path;

use septic_sp1::precompile::{SepticAddChip, SepticDoubleChip, SepticScalarMulChip, SepticVerifyChip};
use sp1_core_executor::{SupervisorMode, UserMode};
use sp1_hypercube::Chip;
use sp1_primitives::SP1Field;

use crate::{
    create,
    error::PortError,
    sources::{entries, read, write},
};

/// The operations that have chips, named as in `SepticAddChip`.
pub(crate) const OPERATIONS: &[&str] = &["Add", "Double", "ScalarMul", "Verify"];

/// Where the chips are in SP1.
const FOLDER: &str = "crates/core/machine/src/syscall/precompiles/septic";

/// What one chip costs.
#[derive(Clone, Debug)]
struct Cost {
    name: &'static str,
    columns: u64,
    constraints: u64,
}

/// The costs of a chip type in both modes.
macro_rules! costs {
    ($($chip:ident),* $(,)?) => {
        [$(cost!($chip, SupervisorMode), cost!($chip, UserMode)),*]
    };
}

/// The cost of a chip.
macro_rules! cost {
    ($chip:ident, $mode:ty) => {{
        let chip = Chip::<SP1Field, _>::new($chip::<$mode>::new());
        Cost {
            name: sp1_hypercube::air::MachineAir::<SP1Field>::name(&*chip.air),
            columns: chip.cost(),
            constraints: chip.num_constraints as u64,
        }
    }};
}

/// Replaces a text that must be there.
fn replace(file: &Path, text: &str, from: &'static str, to: &str) -> Result<String, PortError> {
    if text.contains(from) {
        Ok(text.replace(from, to))
    } else {
        Err(PortError::Text { file: file.display().to_string(), text: from })
    }
}

/// Copies the chips from `src` of this crate into SP1. Paths are all that changes.
pub(crate) fn copy_chips(src: &Path, into: &Path) -> Result<(), PortError> {
    let paths = |text: &str| {
        text.replace("crate::events::", "sp1_core_executor::events::")
            .replace("sp1_core_machine::", "crate::")
    };
    let main = src.join("precompile.rs");
    let text = replace(&main, &paths(&read(&main)?), "use super::sink::", "use self::sink::")?;
    let text = replace(&main, &text, "mod host;\n", "mod host;\nmod sink;\n")?;
    create(into, &format!("{FOLDER}/mod.rs"), &text)?;
    create(into, &format!("{FOLDER}/sink.rs"), &paths(&read(&src.join("sink.rs"))?))?;
    for file in entries(&src.join("precompile"))? {
        let Some(name) = file.file_name().and_then(|name| name.to_str()) else { continue };
        // SP1 has its own.
        if name != "host.rs" {
            create(into, &format!("{FOLDER}/{name}"), &paths(&read(&file)?))?;
        }
    }
    Ok(())
}

/// Adds the chips to the lists of columns and constraints that gas and sharding are computed from.
///
/// Columns and constraints are counted in this crate's chips. With page permissions SP1 adds a constraint to chips of
/// the other mode: as many as its list for that build has for another precompile of one row, unless this program was
/// built with permissions itself.
pub(crate) fn file_costs(into: &Path) -> Result<(), PortError> {
    let costs = costs!(SepticAddChip, SepticDoubleChip, SepticScalarMulChip, SepticVerifyChip);
    let artifacts = |name: &str| format!("crates/core/executor/src/artifacts/{name}.json");
    let [plain, permissions] = ["rv64im_complexity", "rv64im_complexity_mprotect"].map(artifacts);
    let counted_with_permissions = cfg!(feature = "mprotect");
    let added = |file: &str, chip: &Cost| -> Result<u64, PortError> {
        let model = if chip.name.ends_with("User") { "Poseidon2User" } else { "Poseidon2" };
        let here = number(into, file, model)?;
        let counted = number(into, if counted_with_permissions { &permissions } else { &plain }, model)?;
        (chip.constraints + here).checked_sub(counted).ok_or_else(|| PortError::Costs {
            file: file.into(),
            reason: format!("no number of constraints for {}", chip.name),
        })
    };
    let list = |count: &dyn Fn(&Cost) -> Result<u64, PortError>| -> Result<Vec<_>, PortError> {
        costs.iter().map(|cost| Ok((cost.name, count(cost)?))).collect()
    };
    insert(into, &artifacts("rv64im_costs"), &list(&|cost| Ok(cost.columns))?)?;
    // Both lists are needed for the numbers of either.
    let lists = [&plain, &permissions].map(|file| list(&|cost| added(file, cost)));
    for (file, list) in [plain.clone(), permissions.clone()].iter().zip(lists) {
        insert(into, file, &list?)?;
    }
    Ok(())
}

/// The number under `key` in a list.
fn number(into: &Path, file: &str, key: &str) -> Result<u64, PortError> {
    let error = |reason: String| PortError::Costs { file: file.into(), reason };
    let list: serde_json::Value =
        serde_json::from_str(&read(&into.join(file))?).map_err(|reason| error(reason.to_string()))?;
    list[key].as_u64().ok_or_else(|| error(format!("no number for {key}")))
}

/// Adds numbers at the end of a list, which keeps its order.
fn insert(into: &Path, file: &str, numbers: &[(&str, u64)]) -> Result<(), PortError> {
    let path = into.join(file);
    let text = read(&path)?;
    let error = |reason: String| PortError::Costs { file: file.into(), reason };
    let body = text.trim_end().strip_suffix('}').ok_or_else(|| error("no object".into()))?.trim_end();
    let added: String = numbers.iter().map(|(name, number)| format!(",\n  \"{name}\": {number}")).collect();
    if let Some((name, _)) = numbers.iter().find(|(name, _)| body.contains(&format!("\"{name}\""))) {
        return Err(error(format!("{name} is there already")));
    }
    let text = format!("{body}{added}\n}}");
    serde_json::from_str::<serde_json::Value>(&text).map_err(|reason| error(reason.to_string()))?;
    write(&path, text)
}
