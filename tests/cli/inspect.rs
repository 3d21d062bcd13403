//! `septic inspect`: what it shows, what it catches, and its page.

use serde_json::{Value, json};

use crate::support::{Dir, g, h, vectors};

/// An event of each operation.
fn events() -> Value {
    json!([
        { "op": "add", "p": g(), "q": h() },
        { "op": "double", "p": h() },
        { "op": "scalar_mul", "p": g(), "s": "0xff", "case": "</script><script>alert(1)</script>" },
        { "op": "verify", "a": h(), "s": "0x1f", "e": "0xabcdef" },
    ])
}

fn dir() -> Dir {
    let dir = Dir::new();
    dir.write_json("events", &events());
    dir
}

/// The labels of an inspection's violations, each once, in order.
fn labels(inspection: &Value) -> Vec<&str> {
    let mut labels: Vec<&str> = Vec::new();
    for violation in inspection["violations"].as_array().unwrap() {
        let label = violation["label"].as_str().unwrap();
        if !labels.contains(&label) {
            labels.push(label);
        }
    }
    labels
}

#[test]
fn honest_events() {
    let dir = dir();
    let cases = [
        ("--event 0", "add, layout row: 1 row of 53 columns", "115 equations on each of 2 rows"),
        ("--event 1", "double, layout row: 1 row of 37 columns", "37 equations on each of 2 rows"),
        (
            "--event 2",
            "scalar_mul, layout row-per-bit: 256 rows of 44 columns\n",
            "117 equations on each of 256 rows",
        ),
        (
            "--event 3",
            "verify, layout row-per-bit: 256 rows of 58 columns\n",
            "136 equations on each of 256 rows",
        ),
        (
            "--event 2 --layout half-scalar",
            "scalar_mul, layout half-scalar: 1 row of ",
            " equations on each of 2 rows",
        ),
        (
            "--event 3 --layout half-scalar",
            "verify, layout half-scalar: 1 row of ",
            " equations on each of 2 rows",
        ),
    ];
    for (option, head, end) in cases {
        let run = dir.run(&format!("inspect events {option}")).expect(0);
        assert!(run.text().contains(head) && run.text().trim_end().ends_with(end), "{option}: {run:?}");
        assert!(run.text().contains("satisfied: all ") && run.stderr.is_empty());
        assert!(run.text().lines().all(|line| !line.ends_with(' ')), "{run:?}");
        let json = dir.run(&format!("inspect events {option} --json")).expect(0).json();
        assert_eq!((&json["satisfied"], &json["violations"]), (&true.into(), &json!([])));
        assert!(dir.run(&format!("inspect events {option} --quiet")).expect(0).stdout.is_empty());
    }
    let text = dir.run("inspect events --event 3 --rows 253..256").expect(0);
    for part in [
        "row 253: inner digit row, limb 0 of e",
        "row 254: correction: takes C_j off, limb 0 of s",
        "row 255: last row of the block: output",
        "limb           0xcdef   bits 0 to 15 of e",
        "limb           0x001f   bits 0 to 15 of s",
        "of weight 2^0\n",
        "= C_0\n",
        "= R\n",
        "  slope\n    lambda_1 ",
    ] {
        assert!(text.text().contains(part), "{part}: {text:?}");
    }
    assert!(dir.run("inspect events --event 2").expect(0).text().contains("= B_0\n"));
}

#[test]
fn every_vector_in_both_layouts() {
    let dir = Dir::new();
    dir.write_json("vectors", &Value::Array(vectors()));
    for i in 0..vectors().len() {
        for layout in ["row-per-bit", "half-scalar"] {
            let run = dir.run(&format!("inspect vectors --event {i} --layout {layout} --rows 0"));
            assert!(run.expect(0).text().contains("satisfied: all "));
        }
    }
}

#[test]
fn changed_cells_are_caught() {
    let dir = dir();
    let cases: &[(&str, &[&str])] = &[
        ("--event 0 --set lambda[2]=5", &["add.C13.chord", "add.C14.tangent", "add.C15.x_r", "add.C16.y_r"]),
        (
            "--event 0 --set is_real@1=2",
            &["add.C1.is_real", "add.C4.p_curve", "add.C5.q_curve", "add.C14.tangent", "claims.instance"],
        ),
        ("--event 0 --set opposite=1", &["add.C10.r_zero", "add.C11.x_equal", "add.C12.y_opposed"]),
        ("--event 1 --set x_r[6]=0x10", &["double.C6.x_r", "double.C7.y_r", "claims.instance"]),
        ("--event 2 --set parity@7=1", &["scalar_mul.C21.parity_held"]),
        ("--event 2 --set wraps@255=2", &["scalar_mul.C22.wraps_held"]),
        ("--event 2 --set horner@0=3", &["scalar_mul.C27.horner"]),
        ("--event 2 --set limb@12=1", &["scalar_mul.C29.limb_idle", "claims.instance"]),
        ("--event 3 --set witness@9=0", &["verify.C31.distinct"]),
        (
            "--event 3 --set digit_g@253=2",
            &["verify.C35.horner_g", "verify.C30.line", "verify.C33.step_y", "verify.C34.digit_g"],
        ),
        ("--event 3 --layout half-scalar --set inverse=1", &["verify_half.C18.inverse"]),
        (
            "--event 3 --layout half-scalar --set carry[3]=8192",
            &["verify_half.C12.product", "verify_half.M2.carry"],
        ),
        (
            "--event 3 --layout half-scalar --set x_g[0]=1",
            &[
                "verify_half.C6.distinct_g",
                "verify_half.C5.sum_g",
                "verify_half.C8.d_line",
                "verify_half.C9.distinct_d",
                "verify_half.C10.d_x",
                "verify_half.C10.d_y",
                "verify_half.M3.entry",
            ],
        ),
        (
            "--event 2 --layout half-scalar --set quotient[1]=64",
            &["scalar_mul_half.C6.product", "scalar_mul_half.M1.quotient"],
        ),
    ];
    for (options, expected) in cases {
        let run = dir.run(&format!("inspect events {options} --json"));
        assert!(
            run.stderr.starts_with("rejected: events: event ") && run.stderr.contains(" violated equation")
        );
        let found = run.expect(1).json();
        let found_labels = labels(&found);
        for label in *expected {
            assert!(found_labels.contains(label), "{options}: {label}: {found_labels:?}");
        }
        assert_eq!(found_labels, *expected, "{options}");
        // People are told the formula, what is left over and the cells.
        let text = dir.run(&format!("inspect events {options}")).expect(1);
        for label in *expected {
            assert!(text.text().contains(&format!(": {label} is violated\n")), "{label}: {text:?}");
        }
        assert!(text.text().contains("left over instead of 0: ") && text.text().contains("violated: "));
    }

    let text = dir.run("inspect events --event 3 --rows 0 --set witness@9=0").expect(1);
    for part in [
        "  changed        witness on row 9: 0 instead of ",
        "row 9: verify.C31.distinct is violated\n    witness·f(x₂ − x_H) = step   x₂ ≠ x_H on digit rows\n",
        "    left over instead of 0: 2130706432\n",
        "    row 9   witness        0\n",
        "\nviolated: verify.C31.distinct (row 9)\n",
    ] {
        assert!(text.text().contains(part), "{part}: {text:?}");
    }
    // The last change of a cell counts, and one may change it back.
    let old =
        dir.run("inspect events --event 2 --json --rows 0").expect(0).json()["rows"][0]["cells"][0].clone();
    dir.run(&format!("inspect events --event 2 --set x[0]=5 --set x[0]={old}")).expect(0);
}

#[test]
fn a_wrong_result_is_not_the_trace_s() {
    let dir = Dir::new();
    dir.write_json("events", &json!([{ "op": "scalar_mul", "p": g(), "s": "0x5", "out": h() }]));
    for layout in ["row-per-bit", "half-scalar"] {
        let run = dir.run(&format!("inspect events --layout {layout} --json")).expect(1).json();
        assert_eq!(labels(&run), ["claims.instance"]);
        assert_eq!(run["violations"].as_array().unwrap().len(), 14);
    }
    // As `check` has it.
    assert_eq!(dir.run("check events --json").expect(1).json()["violations"].as_array().unwrap().len(), 14);
}

#[test]
fn data() {
    let dir = dir();
    let json = dir.run("inspect events --event 3 --rows 12..15 --json").expect(0).json();
    for (name, value) in [
        ("operation", json!("verify")),
        ("table", json!("verify")),
        ("event", json!(3)),
        ("width", json!(58)),
    ] {
        assert_eq!(json[name], value);
    }
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["row"].as_u64().unwrap()).collect::<Vec<_>>(), [12, 13, 14]);
    for row in rows {
        assert_eq!(row["cells"].as_array().unwrap().len(), 58);
        assert_eq!(row["flags"].as_array().unwrap().len(), json["flags"].as_array().unwrap().len());
    }
    let t = &rows[0]["points"][1];
    assert_eq!((&t["name"], &t["is"], &t["x"], &t["y"]), (&json!("T"), &json!("A"), &h()["x"], &h()["y"]));
    assert_eq!(json["fields"][1]["name"], "lambda_1");
    assert_eq!(json["fields"][1]["honest"], "slope through acc and σT");
    let step = json["constraints"].as_array().unwrap().iter().find(|c| c["id"] == "C32").unwrap();
    assert_eq!(step["formula"], "step·(x′ − λ₃² + x₂ + x_H) = 0");
    assert_eq!((&step["equations"], &step["degree"]), (&json!(7), &json!(3)));
    // Which rows: all, those asked for, or the first four.
    let count = |options: &str| {
        let json = dir.run(&format!("inspect events --event 2 --json {options}")).json();
        json["rows"].as_array().unwrap().len()
    };
    assert_eq!([count("--all"), count("--rows 3"), count("")], [256, 1, 4]);
    // And those that violate something.
    assert_eq!(count("--set x[0]@100=5"), 6);
}

/// The data of a page.
fn data_of(page: &str) -> Value {
    let (_, rest) = page.split_once("<script type=\"application/json\" id=\"data\">").unwrap();
    let (data, _) = rest.split_once("</script>").unwrap();
    serde_json::from_str(data).unwrap()
}

#[test]
fn page() {
    let dir = dir();
    for options in ["--event 0", "--event 3", "--event 3 --layout half-scalar"] {
        let run = dir.run(&format!("inspect events {options} --html page.html --quiet")).expect(0);
        assert!(run.stdout.is_empty());
        let page = String::from_utf8(dir.read("page.html")).unwrap();
        let mut json = dir.run(&format!("inspect events {options} --all --json")).expect(0).json();
        json["file"] = "events".into();
        assert_eq!(data_of(&page), json, "the page has the same data");
        // Nothing is loaded, and nothing is made of texts but texts.
        for part in
            ["http:", "https:", "//cdn", " src=", " href=", "url(", "@import", "fetch(", "innerHTML", "eval("]
        {
            assert!(!page.contains(part), "{part}");
        }
        assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
        assert!(page.contains("default-src 'none'"));
    }
    // To standard output.
    let run = dir.run("inspect events --html -").expect(0);
    assert!(run.text().starts_with("<!doctype html>") && run.text().trim_end().ends_with("</html>"));
    dir.run("inspect events --html - --json").says(2, &["--json needs standard output for the summary"]);
}

#[test]
fn a_page_s_data_cannot_leave_it() {
    let dir = Dir::new();
    let name = "<!--<script>alert('x')</script>&\u{2028}\"";
    let name = name.replace('/', "\u{2215}");
    dir.write_json(&name, &events());
    dir.run_with(&["inspect", &name, "--event", "2", "--html", "page.html", "--quiet"], b"").expect(0);
    let page = String::from_utf8(dir.read("page.html")).unwrap();
    assert_eq!(data_of(&page)["file"], name);
    // Two scripts and no comment: those of the page itself.
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<!--"), "{name}");
}

#[test]
fn what_is_not_there() {
    let dir = dir();
    let cases = [
        ("--event 4", "--event 4: events has 4 events"),
        ("--set foo=5", "--set foo@0=5: no column foo: expected one of x_p, y_p, "),
        ("--set lambda=5", "--set lambda@0=5: lambda has 7 columns: expected lambda[0] to lambda[6]"),
        ("--set lambda[7]=5", "--set lambda[7]@0=5: lambda has 7 columns"),
        ("--set is_real[0]=5", "--set is_real[0]@0=5: is_real is one column: it has no index"),
        ("--set is_real@2=5", "--set is_real@2=5: row 2 is not below 2"),
        ("--event 2 --set digit@256=0", "--set digit@256=0: row 256 is not below 256"),
        ("--set digit@5=2130706433", "'--set <COLUMN[@ROW]=VALUE>': value: 2130706433 is not below p"),
        ("--set digit", "expected COLUMN[@ROW]=VALUE"),
        ("--rows 0..3", "--rows 0..3: the trace has rows 0..2"),
        ("--rows 3..3", "expected FROM..TO with FROM below TO"),
        ("--rows 0..1 --all", "cannot be used with"),
        ("--layout wide", "[possible values: half-scalar, row-per-bit]"),
        ("--html no/such/folder", "no/such/folder: "),
    ];
    for (options, message) in cases {
        dir.run(&format!("inspect events {options} --json")).says(2, &[message]);
    }
    dir.run("inspect missing").says(2, &["missing: No such file"]);
    dir.run("inspect events --rows 0..9 --html page.html").expect(2);
    dir.write_json(
        "off",
        &json!([{ "op": "double", "p": { "x": [1, 2, 3, 4, 5, 6, 7], "y": [0, 0, 0, 0, 0, 0, 1] } }]),
    );
    dir.run("inspect off").says(2, &["off: event 0: p: the point is not on the curve"]);
    assert_eq!(dir.names().len(), 2, "no page is left: {:?}", dir.names());
}
