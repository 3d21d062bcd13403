//! Medians that criterion has left.

use std::error::Error;
use std::path::Path;

use serde_json::Value;

/// A benchmark's median.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Median {
    /// Group and function.
    pub(crate) group: String,
    pub(crate) function: String,
    /// Elements of an iteration.
    pub(crate) elements: f64,
    pub(crate) nanoseconds: f64,
}

/// All medians of the last run of each benchmark, by group; none if there is no folder.
pub(crate) fn medians(folder: &Path) -> Result<Vec<Median>, Box<dyn Error>> {
    let mut found = Vec::new();
    walk(folder, &mut found)?;
    found.sort_by(|a, b| (&a.group, &a.function).cmp(&(&b.group, &b.function)));
    Ok(found)
}

fn walk(folder: &Path, found: &mut Vec<Median>) -> Result<(), Box<dyn Error>> {
    let Ok(entries) = std::fs::read_dir(folder) else { return Ok(()) };
    for entry in entries {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        if path.file_name().is_some_and(|name| name == "new") {
            let read = |name: &str| -> Result<Value, Box<dyn Error>> {
                Ok(serde_json::from_slice(&std::fs::read(path.join(name))?)?)
            };
            let (benchmark, estimates) = (read("benchmark.json")?, read("estimates.json")?);
            let text = |key: &str| benchmark[key].as_str().unwrap_or_default().to_owned();
            found.push(Median {
                group: text("group_id"),
                function: text("function_id"),
                elements: benchmark["throughput"]["Elements"].as_f64().unwrap_or(1.0),
                nanoseconds: estimates["median"]["point_estimate"].as_f64().ok_or("no median")?,
            });
        } else {
            walk(&path, found)?;
        }
    }
    Ok(())
}
