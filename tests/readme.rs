//! Runs the console examples of README.md and compares what they print.
//!
//! In a block marked `console`, lines that start with `$ ` are commands (a here-document goes on to its end mark); the
//! lines after a command are its output, standard error included, and `[N]` after them is an exit code other than 0.
//! `…` stands for anything within a line.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

#[derive(Debug, Default, PartialEq, Eq)]
struct Example {
    command: String,
    output: String,
    code: i32,
}

/// The examples of all console blocks, in order.
fn examples(text: &str) -> Vec<Example> {
    let mut found: Vec<Example> = Vec::new();
    let mut in_block = false;
    let mut here_end: Option<String> = None;
    for line in text.lines() {
        if !in_block {
            in_block = line == "```console";
            continue;
        }
        if let Some(end) = &here_end {
            let example = found.last_mut().unwrap();
            example.command.push('\n');
            example.command.push_str(line);
            if line == end {
                here_end = None;
            }
        } else if line == "```" {
            in_block = false;
        } else if let Some(command) = line.strip_prefix("$ ") {
            here_end = command.split_once("<<'").map(|(_, end)| end.trim_end_matches('\'').to_owned());
            found.push(Example { command: command.to_owned(), ..Example::default() });
        } else if let Some(example) = found.last_mut() {
            match line.strip_prefix('[').and_then(|l| l.strip_suffix(']')).and_then(|l| l.parse().ok()) {
                Some(code) => example.code = code,
                None => {
                    example.output.push_str(line);
                    example.output.push('\n');
                }
            }
        }
    }
    found
}

#[test]
fn console_examples_print_what_the_readme_says() {
    let text = include_str!("../README.md");
    let examples = examples(text);
    assert!(examples.len() >= 10, "{} examples found", examples.len());
    let binary = Path::new(env!("CARGO_BIN_EXE_septic"));
    let folder = tempfile::tempdir().unwrap();
    let path = std::env::join_paths(
        std::iter::once(binary.parent().unwrap().to_path_buf())
            .chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    )
    .unwrap();
    for example in &examples {
        let output = Command::new("sh")
            .arg("-c")
            .arg(format!("{{ {}\n}} 2>&1", example.command))
            .current_dir(folder.path())
            .env("PATH", &path)
            .output()
            .unwrap();
        let found = Example {
            command: example.command.clone(),
            output: String::from_utf8(output.stdout).unwrap(),
            code: output.status.code().unwrap(),
        };
        assert_eq!(found.code, example.code, "{found:?}");
        let same = found.output.lines().count() == example.output.lines().count()
            && found.output.lines().zip(example.output.lines()).all(|(found, said)| matches(found, said));
        assert!(
            same,
            "the README says\n{}\nbut `{}` printed\n{}",
            example.output, example.command, found.output
        );
    }
}

/// Whether a line is as said, where each `…` stands for anything.
fn matches(line: &str, said: &str) -> bool {
    match said.split_once('…') {
        Some((start, rest)) => line.strip_prefix(start).is_some_and(|line| {
            line.char_indices().map(|(i, _)| i).chain([line.len()]).any(|i| matches(&line[i..], rest))
        }),
        None => line == said,
    }
}

/// The table of chips is what the cost command prints.
#[test]
fn the_cost_table_is_the_cost_command_s() {
    let text = include_str!("../README.md");
    let output =
        Command::new(env!("CARGO_BIN_EXE_septic")).args(["cost", "--format", "markdown"]).output().unwrap();
    let report = String::from_utf8(output.stdout).unwrap();
    let table: Vec<&str> =
        report.lines().skip_while(|l| !l.starts_with('|')).take_while(|l| l.starts_with('|')).collect();
    assert_eq!(table.len(), 6, "header, rule and four chips");
    assert!(text.contains(&table.join("\n")), "the README's table differs from:\n{}", table.join("\n"));
}
