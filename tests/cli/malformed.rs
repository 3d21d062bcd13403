//! Input that is not usable: the exit code, and the file, item and field that are named.

use serde_json::{Value, json};

use crate::support::{Dir, few_events, g, h, signatures};

/// p.
const P: u32 = 2_130_706_433;

/// An event with one field set.
fn with(mut event: Value, path: &str, value: Value) -> Value {
    *event.pointer_mut(path).unwrap() = value;
    event
}

/// An event without a field.
fn without(mut event: Value, field: &str) -> Value {
    event.as_object_mut().unwrap().remove(field).unwrap();
    event
}

fn add() -> Value {
    json!({ "op": "add", "p": g(), "q": h() })
}

fn scalar_mul() -> Value {
    json!({ "op": "scalar_mul", "p": g(), "s": "0x1" })
}

fn verify() -> Value {
    json!({ "op": "verify", "a": h(), "s": "0x1", "e": "0x2" })
}

/// Events that are refused, the field that is to blame, and a part of the reason.
fn bad_events() -> Vec<(String, &'static str, &'static str)> {
    let long = format!("0x{}", "0".repeat(65));
    let seven = |n: usize| json!(vec![1; n]);
    let zero = json!({ "x": [0, 0, 0, 0, 0, 0, 0], "y": [0, 0, 0, 0, 0, 0, 0] });
    let swapped = json!({ "x": g()["y"], "y": g()["x"] });
    let g = g();
    let text = |value: Value| value.to_string();
    vec![
        // Operations.
        (text(without(add(), "op")), "op", "missing"),
        (text(with(add(), "/op", json!("sub"))), "op", "unknown operation \"sub\": expected add, double"),
        (text(with(add(), "/op", json!("ADD"))), "op", "unknown operation \"ADD\""),
        (text(with(add(), "/op", json!("a\u{1b}[2J\n"))), "op", r#"unknown operation "a\u{1b}[2J\n""#),
        (text(with(add(), "/op", json!("x".repeat(1000)))), "op", "xxx…\""),
        (text(with(add(), "/op", json!(null))), "op", "expected the name of an operation, found null"),
        (text(with(add(), "/op", json!(1))), "op", "found 1"),
        // Fields.
        (text(without(add(), "p")), "p", "missing"),
        (text(without(add(), "q")), "q", "missing"),
        (text(without(scalar_mul(), "p")), "p", "missing"),
        (text(without(scalar_mul(), "s")), "s", "missing"),
        (text(without(verify(), "a")), "a", "missing"),
        (text(without(verify(), "s")), "s", "missing"),
        (text(without(verify(), "e")), "e", "missing"),
        (r#"{"op":"double"}"#.into(), "p", "missing"),
        // More members than any item has: refused at once, whatever their number.
        (format!("{{{}}}", vec![r#""k":0"#; 100_000].join(",")), "json", "an object of more than 64 fields"),
        (text(with(add(), "/p/x", json!(vec![1; 65]))), "json", "a list of more than 64 values"),
        (r#"{"op":"double","p":null,"q":null}"#.into(), "q", "unknown field: expected op, p, out"),
        (r#"{"op":"add","p":null,"Q":null}"#.into(), "Q", "unknown field: expected op, p, q, out"),
        (r#"{"op":"add","p":null,"q":null,"ot":null}"#.into(), "ot", "unknown field"),
        (r#"{"op":"add","p":null,"q":null,"":1}"#.into(), "\"\"", "unknown field"),
        (r#"{"op":"add","p":null,"q":null,"a: b\n":1}"#.into(), r#""a: b\n""#, "unknown field"),
        (r#"{"op":"add","p":null,"q":null,"p":null}"#.into(), "p", "given more than once"),
        (r#"{"op":"add","op":"add","p":null,"q":null}"#.into(), "op", "given more than once"),
        (r#"{"op":"double","p":{"x":[1],"x":[1],"y":[1]}}"#.into(), "p.x", "given more than once"),
        // Points.
        (text(with(add(), "/p", json!(0))), "p", "expected an object with x and y, or null, found 0"),
        (text(with(add(), "/p", json!("null"))), "p", "found a text"),
        (text(with(add(), "/q", json!([g, g]))), "q", "found a list"),
        (text(with(add(), "/q", json!(false))), "q", "found false"),
        (text(with(add(), "/q", json!({}))), "q.x", "missing"),
        (text(with(add(), "/q", json!({ "x": seven(7) }))), "q.y", "missing"),
        (text(with(add(), "/q", json!({ "x": seven(7), "y": seven(7), "z": 1 }))), "q.z", "unknown field"),
        (text(with(add(), "/p/x", seven(6))), "p.x", "expected 7 numbers, found 6"),
        (text(with(add(), "/p/x", seven(8))), "p.x", "expected 7 numbers, found 8"),
        (text(with(add(), "/p/y", seven(0))), "p.y", "expected 7 numbers, found 0"),
        (text(with(add(), "/p/y", json!(null))), "p.y", "expected a list of numbers, found null"),
        (text(with(add(), "/p/y", json!({ "0": 1 }))), "p.y", "found an object"),
        (text(with(add(), "/p/x/3", json!(P))), "p.x[3]", "2130706433 is not below p = 2130706433"),
        (text(with(add(), "/p/x/6", json!(u32::MAX))), "p.x[6]", "4294967295 is not below p"),
        (text(with(add(), "/q/y/0", json!(1_u64 << 32))), "q.y[0]", "4294967296 is not below p"),
        (text(with(add(), "/q/y/0", json!(u64::MAX))), "q.y[0]", "18446744073709551615 is not below p"),
        (text(with(add(), "/q/y/0", json!(-1))), "q.y[0]", "expected an integer, found -1"),
        (text(with(add(), "/q/y/1", json!(1.5))), "q.y[1]", "expected an integer, found 1.5"),
        (text(with(add(), "/q/y/2", json!(1.0))), "q.y[2]", "expected an integer, found 1.0"),
        (text(with(add(), "/q/y/2", json!(1e30))), "q.y[2]", "expected an integer, found 1e30"),
        (text(with(add(), "/q/y/3", json!("1"))), "q.y[3]", "expected an integer, found a text"),
        (text(with(add(), "/q/y/4", json!(null))), "q.y[4]", "expected an integer, found null"),
        (text(with(add(), "/q/y/4", json!(true))), "q.y[4]", "expected an integer, found true"),
        (text(with(add(), "/q/y/5", json!([1]))), "q.y[5]", "expected an integer, found a list"),
        (text(with(add(), "/p/x/0", json!(1))), "p", "the point is not on the curve"),
        (text(with(add(), "/q", swapped)), "q", "the point is not on the curve"),
        (text(with(add(), "/q", zero)), "q", "the point is not on the curve: the identity is written null"),
        (text(with(verify(), "/a/y/6", json!(0))), "a", "the point is not on the curve"),
        // Scalars.
        (text(with(scalar_mul(), "/s", json!(1))), "s", "expected a text \"0x…\", found 1"),
        (text(with(scalar_mul(), "/s", json!(null))), "s", "found null"),
        (text(with(scalar_mul(), "/s", json!(""))), "s", "a scalar starts with 0x"),
        (text(with(scalar_mul(), "/s", json!("12"))), "s", "a scalar starts with 0x"),
        (text(with(scalar_mul(), "/s", json!("0X12"))), "s", "a scalar starts with 0x"),
        (text(with(scalar_mul(), "/s", json!("-0x12"))), "s", "a scalar starts with 0x"),
        (text(with(scalar_mul(), "/s", json!("0x"))), "s", "at least one hexadecimal digit"),
        (text(with(scalar_mul(), "/s", json!("0x1_0"))), "s", "'_' at digit 1 is not a hexadecimal digit"),
        (text(with(scalar_mul(), "/s", json!("0x+1"))), "s", "'+' at digit 0 is not a hexadecimal digit"),
        (text(with(scalar_mul(), "/s", json!("0x1 "))), "s", "' ' at digit 1 is not a hexadecimal digit"),
        (text(with(verify(), "/e", json!("0xé"))), "e", "'é' at digit 0 is not a hexadecimal digit"),
        (text(with(verify(), "/e", json!(long))), "e", "at most 64 hexadecimal digits, not 65"),
        (text(with(verify(), "/s", json!(["0x1"]))), "s", "found a list"),
        // Results.
        (r#"{"op":"double","p":null,"out":1}"#.into(), "out", "expected an object with x and y, or null"),
        (r#"{"op":"double","p":null,"out":{"x":[1,2,3]}}"#.into(), "out.x", "expected 7 numbers, found 3"),
        // Not events, not JSON.
        ("5".into(), "json", "expected an object, found 5"),
        ("null".into(), "json", "expected an object, found null"),
        ("\"add\"".into(), "json", "expected an object, found a text"),
        ("[]".into(), "json", "expected an object, found a list"),
        ("nul".into(), "json", "expected ident at line 2 column"),
        ("{\"op\":\"add\"".into(), "json", " at line "),
        ("{\"op\":\"add\",}".into(), "json", "trailing comma at line 2"),
        ("{\"op\" \"add\"}".into(), "json", "expected `:` at line 2"),
        ("{op:\"add\"}".into(), "json", "key must be a string at line 2"),
        ("{\"op\":\"a\u{1}\"}".into(), "json", "control character"),
        ("{\"op\":\"\\ud800\"}".into(), "json", "line 2"),
        ("{\"op\":1e999}".into(), "json", "number out of range at line 2"),
        ("{\"op\":01}".into(), "json", "invalid number at line 2"),
        ("[".repeat(1000), "json", "recursion limit"),
    ]
}

#[test]
fn events() {
    let dir = Dir::new();
    let good = add();
    let bad = bad_events();
    assert!(bad.len() > 40);
    for (i, (event, field, reason)) in bad.iter().enumerate() {
        dir.write("events.json", format!("[{good},\n{event},\n{good}]"));
        dir.write("lines.json", format!("{good}\n{event}\n{good}\n"));
        // One command reads like the other; try each in turn.
        let command = ["execute", "prove -o proof --config testing", "check"][i % 3];
        let run = dir.run(&format!("{command} events.json"));
        let start = format!("events.json: event 1: {field}: ");
        assert!(run.stderr.starts_with(&start), "{event}: {start}: {run:?}");
        run.says(2, &[reason]);
        let run = dir.run("execute lines.json");
        let start = format!("lines.json: event 1: {field}: ");
        assert!(run.stderr.starts_with(&start), "{event}: {start}: {run:?}");
        let run = run.expect(2);
        assert_eq!(run.stderr.lines().count(), 1, "{run:?}");
        assert!(run.stdout.is_empty(), "{run:?}");
    }
    assert_eq!(dir.names(), ["events.json".to_owned(), "lines.json".to_owned()].into());
}

#[test]
fn claims() {
    let dir = Dir::new();
    let good = json!({ "op": "double", "p": null, "out": null });
    dir.write("proof", b"");
    for (event, field, reason) in bad_events() {
        dir.write("claims.json", format!("[{good},\n{event},\n{good}]"));
        let run = dir.run("verify proof --claims claims.json --config testing");
        let start = format!("claims.json: event 1: {field}: ");
        assert!(run.stderr.starts_with(&start), "{event}: {start}: {run:?}");
        run.says(2, &[reason]);
    }
    dir.write_json("claims.json", &json!([good, add()]));
    dir.run("verify proof --claims claims.json --config testing")
        .says(2, &["claims.json: event 1: out: missing\n"]);
}

#[test]
fn lists() {
    let dir = Dir::new();
    let good = add();
    let cases = [
        (format!("[{good}"), "bad.json: event 1: json: EOF while parsing a list"),
        (format!("[{good},"), "bad.json: event 1: json: EOF"),
        (format!("[{good},]"), "bad.json: event 1: json: trailing comma"),
        (format!("[{good} {good}]"), "bad.json: event 1: json: expected `,` or `]`"),
        (format!("[{good}] {good}"), "bad.json: json: trailing characters"),
        (format!("[{good}]]"), "bad.json: json: trailing characters"),
        (format!("{good},{good}"), "bad.json: event 1: json: "),
        (format!("{good}\n]"), "bad.json: event 1: json: "),
        ("hello".to_owned(), "bad.json: event 0: json: expected value"),
        ("\u{feff}[]".to_owned(), "bad.json: event 0: json: expected value"),
        ("{}".to_owned(), "bad.json: event 0: op: missing"),
        (signatures().to_string(), "bad.json: event 0: op: missing"),
    ];
    for (text, message) in cases {
        dir.write("bad.json", &text);
        let run = dir.run("execute bad.json").expect(2);
        assert!(run.stderr.starts_with(message), "{message}: {run:?}");
    }
    dir.write("bad.json", b"[\"\xff\xfe\"]");
    dir.run("execute bad.json").says(2, &["bad.json: event 0: json: "]);
    dir.write("bad.json", [0; 4096]);
    dir.run("execute bad.json").says(2, &["bad.json: event 0: json: "]);
}

#[test]
fn files() {
    let dir = Dir::new();
    dir.write_json("events", &few_events());
    std::fs::create_dir(dir.path("folder")).unwrap();
    let cases = [
        ("execute missing", "missing: No such file"),
        ("execute folder", "folder: Is a directory"),
        ("prove missing -o proof", "missing: No such file"),
        ("prove events -o folder", "folder: "),
        ("prove events -o no/such/folder", "no/such/folder: "),
        ("prove events -o proof --claims no/such/folder", "no/such/folder: "),
        ("prove --signatures missing -o proof", "missing: No such file"),
        ("verify missing --claims events", "events: event 0: out: missing"),
        ("verify events --claims missing", "missing: No such file"),
        ("check missing", "missing: No such file"),
        ("schnorr check missing", "missing: No such file"),
        ("schnorr sign --key missing hello", "missing: No such file"),
        ("schnorr keygen -o no/such/folder", "no/such/folder: "),
        ("cost --svg no/such/folder", "no/such/folder: "),
    ];
    for (line, message) in cases {
        let run = dir.run(line).expect(2);
        assert!(run.stderr.starts_with(message), "{line}: {run:?}");
        assert_eq!(run.stderr.lines().count(), 1, "{line}: {run:?}");
    }
    dir.write("empty", "");
    dir.run("verify missing --claims empty").says(2, &["missing: No such file"]);
    dir.run("verify folder --claims empty").says(2, &["folder: Is a directory"]);
    assert_eq!(dir.names().len(), 3, "{:?}", dir.names());
}

/// Changes of a good signature: the exit codes of check and prove, the field, a part of the reason.
#[test]
fn signature_files() {
    type Change = fn(&mut Value);
    let order = "0x1e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7";
    assert_eq!(order.len(), 57);
    let cases: &[(Change, i32, &str, &str)] = &[
        (|s| drop(s.as_object_mut().unwrap().remove("message")), 2, "message", "missing"),
        (|s| drop(s.as_object_mut().unwrap().remove("public_key")), 2, "public_key", "missing"),
        (|s| drop(s.as_object_mut().unwrap().remove("R")), 2, "R", "missing"),
        (|s| drop(s.as_object_mut().unwrap().remove("s")), 2, "s", "missing"),
        (|s| s["message"] = json!(7), 2, "message", "expected a text, found 7"),
        (|s| s["s"] = json!("12"), 2, "s", "a scalar starts with 0x"),
        (|s| s["e"] = json!(12), 2, "e", "found 12"),
        (|s| s["R"]["x"][2] = json!(P), 2, "R.x[2]", "is not below p"),
        (|s| s["R"]["y"] = json!([1]), 2, "R.y", "expected 7 numbers, found 1"),
        (|s| s["public_key"]["y"][0] = json!("1"), 2, "public_key.y[0]", "found a text"),
        (|s| *s = json!([]), 2, "json", "expected an object, found a list"),
        // Well-formed and not valid.
        (|s| s["public_key"] = Value::Null, 1, "public_key", "the identity is no public key"),
        (|s| s["R"] = Value::Null, 1, "R", "the identity is no public key and no part of a signature"),
        (|s| s["public_key"]["x"][0] = json!(5), 1, "public_key", "the point is not on the curve"),
        (|s| s["R"]["x"][0] = json!(5), 1, "R", "the point is not on the curve"),
        (|s| s["public_key"] = h(), 1, "s", "does not belong to this message and key"),
        (|s| s["R"] = h(), 1, "s", "does not belong to this message and key"),
        (|s| s["message"] = json!("BTC/USDC:BUY:1:1"), 1, "s", "does not belong to this message and key"),
        (|s| s["s"] = json!("0x1"), 1, "s", "does not belong to this message and key"),
        (|s| s["s"] = json!("0x0"), 1, "s", "does not belong to this message and key"),
        (
            |s| s["s"] = json!("0x1e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7"),
            1,
            "s",
            "s is not below the order",
        ),
        (|s| s["s"] = json!(format!("0x{}", "f".repeat(64))), 1, "s", "s is not below the order"),
    ];
    let dir = Dir::new();
    for (change, code, field, reason) in cases {
        let mut file = signatures();
        file["signatures"].as_array_mut().unwrap().truncate(4);
        let changed = &mut file["signatures"][2];
        if let Some(fields) = changed.as_object_mut() {
            fields.remove("e");
        }
        change(changed);
        dir.write_json("signed.json", &file);
        let line = format!("signed.json: signature 2: {field}: ");

        let run = dir.run("schnorr check signed.json").expect(*code);
        assert!(run.text().starts_with(&line) && run.text().contains(reason), "{line}{reason}: {run:?}");
        assert_eq!(run.text().lines().count(), 1, "{run:?}");
        assert_eq!(run.stderr, "rejected: signed.json: 1 of 4 signatures are not valid\n");

        let run = dir.run("prove --signatures signed.json -o proof --claims claims --config testing");
        assert!(run.stderr.starts_with(&line), "{line}: {run:?}");
        run.says(*code, &[reason]);
        assert_eq!(dir.names().len(), 1);
    }

    // A stated challenge has to be that of the signature.
    let mut file = signatures();
    file["signatures"][3]["e"] = json!("0x5");
    dir.write_json("signed.json", &file);
    dir.run("prove --signatures signed.json -o proof --config testing")
        .says(1, &["signed.json: signature 3: e: not the challenge of this signature\n"]);

    for (text, message) in [
        ("{}", "signed.json: signatures: missing"),
        ("{\"signatures\":[],\"signatures\":[]}", "signed.json: signatures: given more than once"),
        ("{\"signatures\":{}}", "signed.json: json: invalid type: map, expected a list"),
        ("[]", "signed.json: json: invalid type: sequence, expected an object"),
        ("", "signed.json: json: EOF"),
        ("{\"signatures\":[]} 1", "signed.json: json: trailing characters"),
        ("{\"signatures\":[{\"message\"", "signed.json: signature 0: json: EOF"),
    ] {
        dir.write("signed.json", text);
        for command in ["schnorr check signed.json", "prove --signatures signed.json -o proof"] {
            let run = dir.run(command).expect(2);
            assert!(run.stderr.starts_with(message), "{message}: {run:?}");
        }
    }
    dir.write("signed.json", "{\"signatures\":[]}");
    dir.run("schnorr check signed.json").expect(0);
    dir.run("prove --signatures signed.json -o proof --config testing").expect(0);
}

#[test]
fn key_files() {
    let dir = Dir::new();
    let order = "0x1e4a5d47579fd9acc910bb689b4547ec62a61f18aeeafa34e94d1f7";
    let cases = [
        (json!({}), "secret_key", "missing"),
        (json!({ "secret_key": 123_456 }), "secret_key", "expected a text"),
        (json!({ "secret_key": "123456" }), "secret_key", "starts with 0x"),
        (json!({ "secret_key": "0x" }), "secret_key", "at least one"),
        (json!({ "secret_key": "0xg123456" }), "secret_key", "'g' at digit 0"),
        (json!({ "secret_key": format!("0x{}", "1".repeat(65)) }), "secret_key", "at most 64"),
        (json!({ "secret_key": "0x0" }), "secret_key", "a secret key is not zero"),
        (json!({ "secret_key": order }), "secret_key", "below the order"),
        (json!({ "secret_key": "0x123456", "key": 1 }), "key", "unknown field"),
        (json!({ "secret_key": "0x123456", "public_key": g() }), "public_key", "not the public key of"),
        (json!({ "secret_key": "0x123456", "public_key": null }), "public_key", "not the public key of"),
        (json!({ "secret_key": "0x123456", "public_key": 5 }), "public_key", "found 5"),
        (json!([]), "json", "expected an object"),
    ];
    for (file, field, reason) in cases {
        dir.write_json("key.json", &file);
        let run = dir.run("schnorr sign --key key.json hello -o signed");
        assert!(run.stderr.starts_with(&format!("key.json: {field}: ")), "{file}: {run:?}");
        assert!(!run.stderr.contains("123456"), "shows the secret: {run:?}");
        run.says(2, &[reason]);
    }
    for text in ["", "{", "{\"secret_key\":\"0x1\",\"secret_key\":\"0x2\"}"] {
        dir.write("key.json", text);
        dir.run("schnorr sign --key key.json hello -o signed").says(2, &["key.json: "]);
    }
    // Escapes would leave copies of the secret in memory.
    dir.write("key.json", "{\"secret_key\":\"0x\\u0031\"}");
    dir.run("schnorr sign --key key.json hello -o signed")
        .says(2, &["key.json: json: a key file has no escapes (\\)\n"]);
    dir.write("key.json", " ".repeat(1 << 17));
    dir.run("schnorr sign --key key.json hello").says(2, &["key.json: json: more than 65536 bytes"]);
    // Messages that are no text.
    dir.write_json("key.json", &json!({ "secret_key": "0x1" }));
    dir.write("messages", b"one\ntwo\xff\n");
    dir.run("schnorr sign --key key.json --messages messages")
        .says(2, &["messages: message 1: text: not UTF-8\n"]);
    assert_eq!(dir.names().len(), 2);
}
