//! Events through execute, prove, verify and check.

use serde_json::{Value, json};

use crate::support::{Dir, few_events, g, h, vectors, without_results};

fn list(dir: &Dir, name: &str) -> Vec<Value> {
    dir.read_json(name).as_array().unwrap().clone()
}

#[test]
fn all_vectors() {
    let dir = Dir::new();
    let claims = vectors();
    assert_eq!(claims.len(), 48 + 28 + 93 + 158);
    dir.write_json("events.json", &without_results(&claims).into());

    dir.run("execute events.json -o executed.json").expect(0);
    let executed = list(&dir, "executed.json");
    assert_eq!(executed.len(), claims.len());
    for (i, (executed, expected)) in executed.iter().zip(&claims).enumerate() {
        assert_eq!(executed["op"], expected["op"]);
        assert_eq!(executed["out"], expected["out"], "event {i}: {expected}");
    }

    dir.run("prove events.json -o proof --claims claims.json --config testing").expect(0);
    assert_eq!(dir.read("claims.json"), dir.read("executed.json"));
    dir.run("verify proof --claims claims.json --config testing").expect(0);
    // The oracle's own file, with `case` fields and short scalars, makes the same claims.
    dir.write_json("oracle.json", &claims.into());
    dir.run("verify proof --claims oracle.json --config testing").expect(0);
    dir.run("check oracle.json").expect(0);
}

#[test]
fn forms_of_lists() {
    let dir = Dir::new();
    let events = few_events();
    let lines: String = events.as_array().unwrap().iter().map(|event| format!("{event}\n")).collect();
    dir.write("pretty.json", format!("\n  {events:#}\n\n"));
    dir.write("lines.json", &lines);
    dir.write("crlf.json", format!("\r\n{}", lines.replace('\n', "\r\n\r\n")));
    dir.write("no-end.json", lines.trim_end());
    dir.write_json("array.json", &events);
    let expected = dir.run("execute array.json").expect(0).stdout;
    for name in ["pretty.json", "lines.json", "crlf.json", "no-end.json"] {
        assert_eq!(dir.run(&format!("execute {name}")).expect(0).stdout, expected, "{name}");
    }
    // What is written is read back the same.
    dir.write("again.json", &expected);
    assert_eq!(dir.run("execute again.json").expect(0).stdout, expected);
    assert_eq!(expected.iter().filter(|&&byte| byte == b'\n').count(), 5 + 2, "one object a line");
}

#[test]
fn empty_lists() {
    let dir = Dir::new();
    for (name, text) in [("a", ""), ("b", "[]"), ("c", " \n\t\r\n "), ("d", "\n[ ]\n")] {
        dir.write(name, text);
        assert_eq!(dir.run(&format!("execute {name}")).expect(0).text(), "[]\n");
        dir.run(&format!("prove {name} -o proof --claims claims --config testing")).expect(0);
        assert_eq!(dir.read("claims"), b"[]\n");
        dir.run("verify proof --claims claims --config testing").expect(0);
        dir.run(&format!("check {name}")).expect(0);
    }
    // A proof of nothing proves nothing else.
    dir.write_json("one", &json!([{ "op": "add", "p": null, "q": null, "out": null }]));
    dir.run("verify proof --claims one --config testing")
        .says(1, &["rejected: proof: ", "a proof of nothing"]);
    dir.run("prove a -o proof --config testing --single-chip").expect(0);
    dir.run("verify proof --claims one --config testing").says(1, &["rejected: proof: ", "add", "missing"]);
}

#[test]
fn single_chips() {
    let dir = Dir::new();
    let claims: Vec<Value> = vectors().into_iter().step_by(9).collect();
    dir.write_json("events", &without_results(&claims).into());
    dir.run("prove events -o machine --claims expected --config testing").expect(0);
    dir.run("prove events -o proof --claims claims --config testing --single-chip").expect(0);
    assert_eq!(dir.read("claims"), dir.read("expected"));
    assert!(dir.read("proof").starts_with(b"SEPTICPF") && dir.read("machine").starts_with(b"SEPTICMP"));
    for (proof, route) in [("machine", "machine"), ("proof", "single-chip")] {
        let line = format!("verify {proof} --claims claims --config testing --json");
        let verdict = dir.run(&line).expect(0).json();
        assert_eq!((&verdict["accepted"], &verdict["route"]), (&json!(true), &json!(route)));
        let mut wrong = list(&dir, "claims");
        wrong.swap(0, 1);
        dir.write_json("wrong", &wrong.into());
        dir.run(&format!("verify {proof} --claims wrong --config testing")).says(1, &["rejected: "]);
    }
}

#[test]
fn layouts() {
    let dir = Dir::new();
    dir.write_json("events", &few_events());
    for layout in septic_air::Layout::ALL {
        for command in ["prove events -o proof --claims claims", "demo --count 2"] {
            let line = format!("{command} --layout {layout} --config testing --json");
            let summary = dir.run(&line).expect(0).json();
            assert_eq!(summary["layout"], layout.as_str());
        }
        // The verifier finds the layout in the proof.
        dir.run("verify proof --claims claims --config testing").expect(0);
    }
    // Without a name, one is taken.
    let summary = dir.run("prove events -o proof --config testing --json").expect(0).json();
    assert!(septic_air::Layout::ALL.iter().any(|layout| summary["layout"] == layout.as_str()));
    let help = dir.run("prove --help").expect(0);
    assert!(septic_air::Layout::ALL.iter().all(|layout| help.text().contains(layout.as_str())));
}

#[test]
fn equal_events_are_proven_once() {
    let dir = Dir::new();
    let event = json!({ "op": "verify", "a": h(), "s": "0x5", "e": "0x7" });
    dir.write_json("events", &vec![event; 20].into());
    let summary = dir.run("prove events -o proof --claims claims --config testing --json").expect(0).json();
    assert_eq!((&summary["chips"][0]["events"], &summary["chips"][0]["distinct"]), (&json!(20), &json!(1)));
    dir.run("verify proof --claims claims --config testing").expect(0);
    dir.write_json("fewer", &list(&dir, "claims")[1..].to_vec().into());
    dir.run("verify proof --claims fewer --config testing").says(1, &["rejected: proof: "]);
}

#[test]
fn identity() {
    let dir = Dir::new();
    let order = "0x1e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7";
    let max = format!("0x{}", "f".repeat(64));
    let events = [
        (json!({ "op": "add", "p": null, "q": null }), Value::Null),
        (json!({ "op": "add", "p": g(), "q": null }), g()),
        (json!({ "op": "add", "p": null, "q": h() }), h()),
        (json!({ "op": "double", "p": null }), Value::Null),
        (json!({ "op": "scalar_mul", "p": null, "s": max }), Value::Null),
        (json!({ "op": "scalar_mul", "p": g(), "s": "0x0" }), Value::Null),
        (json!({ "op": "scalar_mul", "p": g(), "s": order }), Value::Null),
        (json!({ "op": "verify", "a": null, "s": "0x1", "e": max }), g()),
        (json!({ "op": "verify", "a": h(), "s": "0x0", "e": "0x0" }), Value::Null),
        (json!({ "op": "verify", "a": h(), "s": order, "e": "0x1" }), h()),
    ];
    dir.write_json("events", &events.iter().map(|(event, _)| event.clone()).collect());
    dir.run("prove events -o proof --claims claims --config testing").expect(0);
    for (claim, (event, out)) in list(&dir, "claims").iter().zip(&events) {
        assert_eq!(claim["out"], *out, "{event}");
    }
    dir.run("verify proof --claims claims --config testing").expect(0);
}

#[test]
fn numbers_of_threads_agree() {
    let dir = Dir::new();
    dir.write_json("events", &few_events());
    let prove = |threads: usize| {
        dir.run(&format!("prove events -o proof --claims claims --config testing --threads {threads}"))
            .expect(0);
        (dir.read("proof"), dir.read("claims"))
    };
    let (proof, claims) = prove(1);
    for threads in [2, 3] {
        // Proofs differ: the grinding takes the witness that any thread finds first.
        assert_eq!(prove(threads).1, claims, "{threads} threads");
        dir.run(&format!("verify proof --claims claims --config testing --threads {threads}")).expect(0);
        dir.run("verify proof --claims claims --config testing --threads 1").expect(0);
    }
    // With one thread it is always the same one.
    assert_eq!(prove(1), (proof, claims));
    dir.run("verify proof --claims claims --config testing").expect(0);
}

#[test]
fn standard_streams() {
    let dir = Dir::new();
    let events = few_events().to_string();
    let claims = dir.run_with(&["execute", "-", "-o", "-"], events.as_bytes()).expect(0).stdout;
    dir.write("claims", &claims);
    let proof =
        dir.run_with(&["prove", "-", "-o", "-", "--config", "testing"], events.as_bytes()).expect(0).stdout;
    dir.write("proof", &proof);
    dir.run_with(&["verify", "-", "--claims", "claims", "--config", "testing"], &proof).expect(0);
    dir.run_with(&["verify", "proof", "--claims", "-", "--config", "testing"], &claims).expect(0);
    let printed = dir
        .run_with(&["prove", "-", "-o", "other", "--claims", "-", "--config", "testing"], events.as_bytes());
    assert_eq!(printed.expect(0).stdout, claims);
    dir.run("verify other --claims claims --config testing").expect(0);
    dir.run_with(&["check", "-"], &claims).expect(0);
    dir.run_with(&["execute", "-"], b"[5]").says(2, &["-: event 0: json: expected an object, found 5"]);
}

#[test]
fn a_stated_result_is_compared() {
    let dir = Dir::new();
    let mut events = few_events();
    events[0]["out"] = dir_result(&events[0]);
    events[3]["out"] = h();
    dir.write_json("events", &events);
    dir.run("prove events -o proof --claims claims --config testing")
        .says(1, &["events: event 3: out: not the result of this scalar_mul\n"]);
    assert_eq!(dir.names().len(), 1, "{:?}", dir.names());
    // Execution replaces it.
    let summary = dir.run("execute events -o executed --json").expect(0).json();
    assert_eq!(summary["replaced"], 1);
    assert_eq!(summary["events"], 5);
    dir.run("prove executed -o proof --config testing").expect(0);
}

/// The result of one event, by the program.
fn dir_result(event: &Value) -> Value {
    let dir = Dir::new();
    dir.write_json("event", event);
    dir.run("execute event").expect(0).json()[0]["out"].clone()
}

#[test]
fn check_names_what_is_violated() {
    let dir = Dir::new();
    let claims = dir.run_with(&["execute", "-"], few_events().to_string().as_bytes()).expect(0).json();
    let mut wrong = claims.clone();
    wrong[4]["out"]["y"][3] = json!(1);
    dir.write_json("off-curve", &wrong);
    dir.run("check off-curve").says(2, &["off-curve: event 4: out: the point is not on the curve\n"]);

    let mut wrong = claims;
    wrong[1]["out"] = g();
    wrong[4]["out"] = Value::Null;
    dir.write_json("wrong", &wrong);
    let run = dir.run("check wrong").says(1, &["rejected: wrong: "]);
    for part in ["wrong: event 4: row 1 of add: claims.instance[", "wrong: event 1: row ", " of verify: "] {
        assert!(run.text().contains(part), "{part:?} is missing: {run:?}");
    }
    let summary = dir.run("check wrong --json").expect(1).json();
    assert_eq!(summary["satisfied"], false);
    let violations = summary["violations"].as_array().unwrap();
    assert!(violations.iter().all(|v| v["label"] == "claims.instance" && v["row"].is_u64()));
    let events: std::collections::BTreeSet<_> =
        violations.iter().map(|v| v["event"].as_u64().unwrap()).collect();
    assert_eq!(events, [1, 4].into());
    assert_eq!(violations[0]["operation"], "add");
    assert!(violations[0]["column"].is_string());
}
