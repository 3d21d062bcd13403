//! Summaries, reports, help and usage.

use serde_json::Value;

use crate::support::{Dir, few_events};

/// Checks the part of a summary that prove and demo share, on both routes.
fn check_summary(summary: &Value, route: &str, events: u64, operations: &[&str]) {
    let single = route == "single-chip";
    let chips = summary["chips"].as_array().unwrap();
    assert_eq!(summary["events"], events);
    assert_eq!(summary["config"], "testing");
    assert_eq!(summary["route"], route);
    assert_eq!(chips.iter().map(|chip| chip["events"].as_u64().unwrap()).sum::<u64>(), events);
    let names: Vec<_> = chips.iter().map(|chip| chip["name"].as_str().unwrap()).collect();
    assert_eq!(names, operations);
    let mut cells = 0;
    for chip in chips {
        let number = |name: &str| chip[name].as_u64().unwrap_or_else(|| panic!("{name}: {chip}"));
        let layout = match chip["name"].as_str().unwrap() {
            "ADD" | "DOUBLE" => "row",
            _ if single => "row-per-bit",
            _ => summary["layout"].as_str().unwrap(),
        };
        assert_eq!(chip["layout"], layout);
        assert!(number("cells") >= number("rows") * number("columns"));
        assert!(number("rows").is_power_of_two());
        assert!(number("constraints") > 0);
        assert_eq!(number("max_degree"), 3);
        if single {
            assert_eq!(number("cells"), number("rows") * number("columns"));
            assert!(chip["security_bits"]["proven"].is_u64());
        } else {
            assert!((1..=number("events")).contains(&number("distinct")));
        }
        cells += number("cells");
    }
    assert_eq!(summary["tables"].is_null(), single);
    if let Some(tables) = summary["tables"].as_array() {
        for table in tables {
            let number = |name: &str| table[name].as_u64().unwrap_or_else(|| panic!("{name}: {table}"));
            assert_eq!(number("cells"), number("rows") * number("columns"));
            assert!(number("constraints") > 0 && number("max_degree") <= 3);
        }
        let all: u64 = tables.iter().map(|table| table["cells"].as_u64().unwrap()).sum();
        assert!(all >= cells);
    }
    for name in ["trace_ms", "prove_ms", "verify_ms"] {
        assert!(summary[name].as_f64().unwrap() > 0.0, "{name}: {summary}");
    }
    let bits = |kind: &str| summary["security_bits"][kind].as_u64().unwrap();
    assert!(bits("proven") <= bits("conjectured"));
    if single {
        let least = chips.iter().map(|chip| chip["security_bits"]["proven"].as_u64().unwrap()).min();
        assert_eq!(least, Some(bits("proven")));
    }
    assert!(summary["proof_bytes"].as_u64().unwrap() > 1000);
    assert!(summary["threads"].as_u64().unwrap() >= 1);
    if cfg!(target_os = "linux") {
        assert!(summary["peak_rss_mb"].as_f64().unwrap() > 1.0);
    }
}

#[test]
fn demo_summary() {
    let dir = Dir::new();
    for (route, option) in [("machine", ""), ("single-chip", "--single-chip")] {
        let line = format!("demo --count 3 --config testing --json --threads 2 {option}");
        let summary = dir.run(&line).expect(0).json();
        check_summary(&summary, route, 3, &["VERIFY"]);
        assert_eq!(summary["threads"], 2);
        assert!(summary["commit_ms"].as_f64().unwrap() > 0.0);
        let ratio = summary["prove_ms"].as_f64().unwrap() / summary["commit_ms"].as_f64().unwrap();
        assert!((summary["prove_over_commit"].as_f64().unwrap() - ratio).abs() < 0.01);
        for name in ["seed", "traders", "orders_ms", "execute_ms"] {
            assert!(summary[name].is_number(), "{name}");
        }
    }

    let summary = dir.run("demo --count 30 --traders 2 --config testing --json").expect(0).json();
    assert_eq!(summary["traders"], 2);
    let text = dir.run("--config testing demo --count 2 --seed 7").expect(0);
    for part in ["2 signed by 2 traders", "testing: ", "VERIFY ", "prove ", "verify ", "all 2 signatures"] {
        assert!(text.text().contains(part), "{part}: {text:?}");
    }
    assert!(dir.names().is_empty());
    // Nothing at all, and too much.
    let summary = dir.run("demo --count 0 --config testing --json").expect(0).json();
    assert_eq!((&summary["events"], &summary["chips"]), (&0.into(), &Value::Array(Vec::new())));
    assert!(summary["prove_over_commit"].is_null() && summary["security_bits"]["proven"].is_null());
    dir.run("demo --count 32769 --config testing --single-chip")
        .says(2, &["--count: 32769 events need more than 2^23 rows"]);
    dir.run("demo --count 8388609 --config testing")
        .says(2, &["--count: 8388609 events need more than 2^23 rows"]);
}

#[test]
fn prove_summary() {
    let dir = Dir::new();
    dir.write_json("events", &few_events());
    for (route, option) in [("machine", ""), ("single-chip", "--single-chip")] {
        let line = format!("prove events -o proof --config testing --json {option}");
        let summary = dir.run(&line).expect(0).json();
        check_summary(&summary, route, 5, &["ADD", "DOUBLE", "SCALAR_MUL", "VERIFY"]);
        assert_eq!(summary["proof_bytes"], dir.read("proof").len());
    }
    let summary = dir.run("execute events -o claims --json").expect(0).json();
    assert_eq!(summary["operations"]["add"], 2);
    let summary = dir.run("check events --json").expect(0).json();
    assert_eq!((&summary["satisfied"], &summary["events"]), (&true.into(), &5.into()));
}

#[test]
fn cost() {
    let dir = Dir::new();
    let json = dir.run("cost --json").expect(0).json();
    assert_eq!(json, dir.run("cost --format json").expect(0).json());
    let chips = json["chips"].as_array().unwrap();
    assert_eq!(chips.len(), 4);
    for chip in chips {
        for field in ["name", "operation", "layout", "columns", "columns_by_role", "rows_per_event"] {
            assert!(!chip[field].is_null(), "{field}");
        }
        for field in
            ["cells_per_event", "constraints", "max_degree", "messages_per_event", "sp1_gas_per_event"]
        {
            assert!(chip[field].is_number(), "{field}");
        }
    }
    assert!(!json["references"].as_array().unwrap().is_empty());
    for table in json["tables"].as_array().unwrap() {
        assert!(table["committed_cells"].as_u64() >= table["cells"].as_u64(), "{table}");
    }
    let table = dir.run("cost").expect(0);
    assert!(table.text().contains("VERIFY") && table.text().contains("row-per-bit"));
    let csv = dir.run("cost --format csv").expect(0);
    assert!(csv.text().lines().all(|line| line.contains(',')));
    assert!(dir.run("cost --format markdown").expect(0).text().contains("| "));
    assert!(dir.run("cost --svg -").expect(0).stdout.starts_with(b"<svg"));
    dir.run("cost --svg chart.svg --json").expect(0).json();
    assert!(dir.read("chart.svg").starts_with(b"<svg"));
}

#[test]
fn help_and_usage() {
    let dir = Dir::new();
    for line in
        ["--help", "-h", "--version", "demo --help", "prove -h", "schnorr --help", "schnorr sign --help"]
    {
        let run = dir.run(line).expect(0);
        assert!(!run.stdout.is_empty() && run.stderr.is_empty(), "{line}: {run:?}");
    }
    // Both ways to ask for help.
    for command in ["demo", "execute", "prove", "join", "verify", "check", "schnorr", "schnorr sign", "cost"]
    {
        let help = dir.run(&format!("help {command}")).expect(0);
        assert!(help.text().contains(&format!("Usage: septic {command}")), "{command}: {help:?}");
        assert_eq!(help.stdout, dir.run(&format!("{command} --help")).expect(0).stdout, "{command}");
    }
    assert_eq!(dir.run("help").expect(0).stdout, dir.run("--help").expect(0).stdout);
    let help = dir.run("--help").expect(0);
    for word in
        ["demo", "execute", "prove", "join", "verify", "check", "schnorr", "cost", "Examples:", "Exit codes:"]
    {
        assert!(help.text().contains(word), "{word}");
    }
    dir.write_json("events", &few_events());
    for line in [
        "",
        "nonsense",
        "help nonsense",
        "--nonsense",
        "demo --count",
        "demo --count -1",
        "demo --count many",
        "demo --count 99999999999999999999999999",
        "demo --seed x",
        "demo extra",
        "demo --count 1 --config fast",
        "demo --count 1 --config",
        "demo --count 1 --threads 0",
        "demo --count 1 --threads 1025",
        "demo --count 1 --threads two",
        "execute",
        "execute events events",
        "prove",
        "prove events",
        "prove -o proof",
        "prove events --signatures events -o proof",
        "prove events -o proof --layout tall",
        "prove events -o proof --layout row-per-bit --single-chip",
        "prove events -o proof --segment 0",
        "prove events -o proof --segment 1048577",
        "prove events -o proof --segment two",
        "prove events -o proof --segment 2 --single-chip",
        "prove events -o proof --resume",
        "prove events -o proof --shard 1/2",
        "prove events -o proof --segment 2 --shard 1/2 --claims claims",
        "prove events -o proof --segment 2 --shard 0/2",
        "prove events -o proof --segment 2 --shard 3/2",
        "prove events -o proof --segment 2 --shard 1",
        "prove events -o proof --segment 2 --shard -1/2",
        "prove events -o - --segment 2",
        "prove - -o proof --segment 2",
        "join",
        "join folder",
        "join -o proof",
        "verify events",
        "verify --claims events",
        "check",
        "schnorr",
        "schnorr sign hello",
        "schnorr sign --key events",
        "schnorr sign --key events hello --messages events",
        "schnorr check",
        "schnorr check events --challenge md5",
        "cost --format xml",
    ] {
        let run = dir.run(line).expect(2);
        assert!(run.stdout.is_empty(), "{line}: {run:?}");
    }
}
