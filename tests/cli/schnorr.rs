//! Keys and signatures.

use serde_json::{Value, json};

use crate::support::{Dir, signatures};

#[test]
fn keygen_sign_check_prove() {
    let dir = Dir::new();
    dir.run("schnorr keygen -o key.json").expect(0);
    let messages =
        ["ETH/USDC:BUY:1334224:100", "", "żółć \"quoted\"\\ \u{1f980}", "ETH/USDC:BUY:1334224:100"];
    let mut args = vec!["schnorr", "sign", "--key", "key.json", "-o", "signed.json", "--"];
    args.extend(messages);
    dir.run_with(&args, b"").expect(0);

    let signed = dir.read_json("signed.json");
    let list = signed["signatures"].as_array().unwrap();
    assert_eq!(list.iter().map(|s| s["message"].as_str().unwrap()).collect::<Vec<_>>(), messages);
    assert!(list.iter().all(|s| s["public_key"] == dir.read_json("key.json")["public_key"]));
    assert_eq!(list[0], list[3], "the same message has the same signature");
    let summary = dir.run("schnorr check signed.json --json").expect(0).json();
    assert_eq!(summary, json!({ "signatures": 4, "valid": 4, "failed": [] }));

    dir.run("prove --signatures signed.json -o proof --claims claims --config testing").expect(0);
    dir.run("verify proof --claims claims --config testing").expect(0);
    let claims = dir.read_json("claims");
    for (claim, signature) in claims.as_array().unwrap().iter().zip(list) {
        let fields = [("a", "public_key"), ("s", "s"), ("e", "e"), ("out", "R")];
        assert!(fields.iter().all(|(ours, theirs)| claim[ours] == signature[theirs]), "{claim}");
        assert_eq!(claim["op"], "verify");
    }

    // From a file of lines, through the standard streams.
    let lines = format!("{}\r\n{}\n", messages[0], messages[1]);
    let key = dir.read("key.json");
    dir.write("lines", lines);
    let run = dir.run_with(&["schnorr", "sign", "--key", "-", "--messages", "lines"], &key).expect(0);
    assert_eq!(run.json()["signatures"].as_array().unwrap(), &list[..2]);
    dir.run_with(&["schnorr", "check", "-"], &run.stdout).expect(0);
    dir.write("lines", "");
    let run = dir.run("schnorr sign --key key.json --messages lines").expect(0);
    assert_eq!(run.json(), json!({ "signatures": [] }));

    // With randomness: other signatures, as valid.
    dir.run("schnorr sign --key key.json -o hedged.json --hedged ETH/USDC:BUY:1334224:100").expect(0);
    assert_ne!(dir.read_json("hedged.json")["signatures"][0], list[0]);
    dir.run("schnorr check hedged.json").expect(0);
}

#[test]
fn keys() {
    let dir = Dir::new();
    let key = |line: &str| dir.run(line).expect(0).json();
    let (one, two) = (key("schnorr keygen"), key("schnorr keygen"));
    assert_ne!(one, two);
    for key in [&one, &two] {
        let secret = key["secret_key"].as_str().unwrap();
        assert!(secret.starts_with("0x") && secret.len() == 66);
        assert_eq!(key.as_object().unwrap().len(), 2);
        dir.write_json("key.json", key);
        dir.run("schnorr sign --key key.json hello").expect(0);
    }
    assert_eq!(key("schnorr keygen --seed 5"), key("schnorr keygen --seed 5"));
    assert_ne!(key("schnorr keygen --seed 5"), key("schnorr keygen --seed 6"));

    // A key is not replaced by accident, and a summary does not show it.
    let before = dir.read("key.json");
    dir.run("schnorr keygen -o key.json")
        .says(2, &["key.json: there is a file already; --force replaces it"]);
    assert_eq!(dir.read("key.json"), before);
    let run = dir.run("schnorr keygen -o key.json --force --json").expect(0);
    let written = dir.read_json("key.json");
    assert_eq!(run.json(), json!({ "public_key": written["public_key"] }));
    assert!(!run.text().contains(written["secret_key"].as_str().unwrap()));

    // The secret key 1 has the generator as public key.
    dir.write_json("key.json", &json!({ "secret_key": "0x1" }));
    let run = dir.run("schnorr sign --key key.json hello").expect(0);
    assert_eq!(run.json()["signatures"][0]["public_key"], crate::support::g());
}

#[test]
fn forms_of_keys() {
    let dir = Dir::new();
    for form in ["json", "pem", "hex"] {
        dir.run(&format!("schnorr keygen --seed 5 --format {form} -o key.{form}")).expect(0);
    }
    // One key: the same signatures, the same public key.
    let signed = |file: &str| dir.run(&format!("schnorr sign --key {file} hello")).expect(0).json();
    let public = |file: &str, form: &str| {
        dir.run(&format!("schnorr public --key {file} --format {form}")).expect(0).text().to_owned()
    };
    for file in ["key.pem", "key.hex"] {
        assert_eq!(signed(file), signed("key.json"));
        for form in ["json", "pem", "hex"] {
            assert_eq!(public(file, form), public("key.json", form));
        }
    }
    let json: Value = serde_json::from_str(&public("key.pem", "json")).unwrap();
    assert_eq!(json, dir.read_json("key.json")["public_key"]);

    let text = |file: &str| String::from_utf8(dir.read(file)).unwrap();
    let (pem, hex) = (text("key.pem"), text("key.hex"));
    assert!(pem.starts_with("-----BEGIN SEPTIC SECRET KEY-----\n"), "{pem}");
    assert_eq!(hex.trim_end(), dir.read_json("key.json")["secret_key"].as_str().unwrap());
    assert!(public("key.pem", "pem").starts_with("-----BEGIN SEPTIC PUBLIC KEY-----\n"));
    assert_eq!(public("key.pem", "hex").len(), "0x".len() + 2 * 29 + 1);

    // Line ends and blanks around do not matter.
    for (file, text) in [("a", pem.replace('\n', "\r\n")), ("b", format!("\n  {hex}\r\n \n"))] {
        dir.write(file, text);
        assert_eq!(signed(file), signed("key.json"));
    }
}

/// What is wrong with a key is said without a digit of it.
#[test]
fn wrong_keys() {
    let dir = Dir::new();
    dir.run("schnorr keygen --seed 5 --format pem -o key.pem").expect(0);
    let pem = String::from_utf8(dir.read("key.pem")).unwrap();
    let body: Vec<&str> = pem.lines().collect();
    let with =
        |body: &str| format!("{}\n{body}\n{}\n", pem.lines().next().unwrap(), pem.lines().last().unwrap());
    let cases = [
        ("0x".to_owned(), "key: hex: a scalar has at least one"),
        ("0x0\n".to_owned(), "key: hex: a secret key is not zero"),
        (format!("0x{}", "f".repeat(64)), "key: hex: a secret key is below the order of the curve"),
        (format!("0x{}", "1".repeat(65)), "key: hex: a scalar has at most 64 hexadecimal digits, not 65"),
        ("0x12 34".to_owned(), "key: hex: "),
        ("1234".to_owned(), "key: json: "),
        (pem.replace("SECRET", "PUBLIC"), "key: pem: expected SEPTIC SECRET KEY, found SEPTIC PUBLIC KEY"),
        (with("AAAA"), "key: pem: expected 32 bytes, found 3 bytes"),
        (with(&"A".repeat(43)), "key: pem: "),
        (with("AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="), "key: pem: a secret key is not zero"),
        (with("//////////////////////////////////////////8="), "key: pem: a secret key is below the order"),
        (body[..2].join("\n"), "key: pem: "),
        (format!("{pem}{pem}"), "key: pem: "),
        ("-----".to_owned(), "key: pem: "),
    ];
    for (text, message) in cases {
        dir.write("key", &text);
        let run = dir.run("schnorr sign --key key hello").says(2, &[message]);
        assert!(run.stdout.is_empty());
        let said = &run.stderr;
        assert!(!said.contains(body[1]) && !said.contains("1111") && !said.contains("ffff"), "{said}");
    }
    // Every beginning of a key file is refused or is a shorter number, nothing panics.
    for end in 0..pem.len() - 1 {
        dir.write("key", &pem[..end]);
        assert_eq!(dir.run("schnorr public --key key").code, 2, "{end}");
    }
}

#[test]
fn public_signatures() {
    let dir = Dir::new();
    let file = signatures();
    dir.write_json("orders.json", &file);
    let run = dir.run("schnorr check orders.json").expect(0);
    assert_eq!(run.text(), "all 64 signatures are valid\n");
    dir.run("prove --signatures orders.json -o proof --claims claims --config testing").expect(0);
    dir.run("verify proof --claims claims --config testing").expect(0);

    // Those that are changed are those that are reported.
    let mut changed = file;
    for i in [3, 17, 63] {
        changed["signatures"][i]["message"] = json!("SOL/USDC:BUY:1:1");
    }
    changed["signatures"][17].as_object_mut().unwrap().remove("e");
    dir.write_json("changed.json", &changed);
    let run = dir
        .run("schnorr check changed.json")
        .says(1, &["rejected: changed.json: 3 of 64 signatures are not valid\n"]);
    let lines: Vec<_> = run.text().lines().collect();
    assert_eq!(
        lines,
        [
            "changed.json: signature 3: e: not the challenge of this signature",
            "changed.json: signature 17: s: the signature does not belong to this message and key",
            "changed.json: signature 63: e: not the challenge of this signature",
        ]
    );
    let summary = dir.run("schnorr check changed.json --json").expect(1).json();
    let failed: Vec<_> =
        summary["failed"].as_array().unwrap().iter().map(|f| f["signature"].clone()).collect();
    assert_eq!((failed, &summary["valid"]), (vec![json!(3), json!(17), json!(63)], &json!(61)));
    dir.run("prove --signatures changed.json -o other --config testing")
        .says(1, &["changed.json: signature 3: e: "]);
}

#[test]
fn challenge_functions_differ() {
    let dir = Dir::new();
    dir.write_json("key.json", &json!({ "secret_key": "0x123" }));
    dir.run("schnorr sign --key key.json --challenge poseidon2 -o signed hello").expect(0);
    dir.run("schnorr check signed --challenge poseidon2").expect(0);
    dir.run("schnorr check signed").says(1, &["rejected: signed: "]);
    dir.run("prove --signatures signed -o proof --config testing").says(1, &["signed: signature 0: "]);
    dir.run("prove --signatures signed -o proof --claims claims --config testing --challenge poseidon2")
        .expect(0);
    dir.run("verify proof --claims claims --config testing").expect(0);
    let sha: Value = dir.run("schnorr sign --key key.json hello").expect(0).json();
    assert_ne!(
        sha["signatures"][0]["R"],
        dir.read_json("signed")["signatures"][0]["R"],
        "nonces are not shared"
    );
}
