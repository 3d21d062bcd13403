//! The configurations on a toy AIR of the shape of the project's chips: 60 columns, about 150 constraints of
//! degree 3 over two rows, a periodic column, public values.

use std::borrow::Cow;
use std::time::Duration;

use p3_air::{Air, AirBuilder, BaseAir, WindowAccess};
use p3_field::{Field, PrimeCharacteristicRing};
use p3_fri::FriParameters;
use p3_matrix::dense::RowMajorMatrix;
use p3_uni_stark::{prove, verify};
use septic_prover::config::{
    Challenge, Config, ConfigError, ConfigName, MIN_LOG_HEIGHT, Proof, Regime, SecurityBits, Val,
};

/// Columns that step from row to row; the others are products of these.
const CHAIN: usize = 20;

/// `chain'[i] = chain[i]·chain[i+1] + periodic + offset`, `product[i] = c[i]·c[i+1]·c[i+2]` on this row and on
/// the next, the chain's ends are public.
struct Toy {
    width: usize,
    /// A constant of one constraint. Toys that differ in it have the same shape.
    offset: Val,
    periodic: Vec<Vec<Val>>,
}

impl Toy {
    fn new(width: usize) -> Self {
        let periodic = vec![(0..16).map(Val::from_u32).collect()];
        Self { width, offset: Val::ZERO, periodic }
    }

    fn trace(&self, log_height: usize) -> (RowMajorMatrix<Val>, Vec<Val>) {
        let mut values = Val::zero_vec(self.width << log_height);
        let mut chain: [Val; CHAIN] = core::array::from_fn(|i| Val::from_usize(3 * i + 2));
        let mut public = chain.to_vec();
        for (i, row) in values.chunks_exact_mut(self.width).enumerate() {
            row[..CHAIN].copy_from_slice(&chain);
            for k in CHAIN..self.width {
                row[k] = row[k - CHAIN] * row[k - CHAIN + 1] * row[k - CHAIN + 2];
            }
            if i + 1 == 1 << log_height {
                public.extend(chain);
            }
            let constant = self.periodic[0][i % 16] + self.offset;
            chain = core::array::from_fn(|k| chain[k] * chain[(k + 1) % CHAIN] + constant);
        }
        (RowMajorMatrix::new(values, self.width), public)
    }
}

impl BaseAir<Val> for Toy {
    fn width(&self) -> usize {
        self.width
    }

    fn num_public_values(&self) -> usize {
        2 * CHAIN
    }

    fn num_periodic_columns(&self) -> usize {
        self.periodic.len()
    }

    fn periodic_columns(&self) -> Cow<'_, [Vec<Val>]> {
        Cow::Borrowed(&self.periodic)
    }
}

impl<AB: AirBuilder<F = Val>> Air<AB> for Toy {
    fn eval(&self, builder: &mut AB) {
        let main = builder.main();
        let exprs = |row: &[AB::Var]| row.iter().map(|&x| x.into()).collect::<Vec<AB::Expr>>();
        let (local, next) = (exprs(main.current_slice()), exprs(main.next_slice()));
        let public = exprs_of_public::<AB>(builder);
        let periodic: AB::Expr = builder.periodic_values()[0].into();

        for i in 0..CHAIN {
            builder.when_first_row().assert_eq(local[i].clone(), public[i].clone());
            builder.when_last_row().assert_eq(local[i].clone(), public[CHAIN + i].clone());
            let product = local[i].clone() * local[(i + 1) % CHAIN].clone();
            builder
                .when_transition()
                .assert_eq(next[i].clone(), product + periodic.clone() + AB::Expr::from(self.offset));
        }
        for i in CHAIN..self.width {
            for row in [&local, &next] {
                let [a, b, c] = core::array::from_fn(|k| row[i - CHAIN + k].clone());
                builder.assert_eq(row[i].clone(), a * b * c);
            }
        }
    }
}

fn exprs_of_public<AB: AirBuilder<F = Val>>(builder: &AB) -> Vec<AB::Expr> {
    builder.public_values().iter().map(|&x| x.into()).collect()
}

/// One column, one constraint of degree `degree`, no next row.
struct Power {
    degree: u64,
}

impl BaseAir<Val> for Power {
    fn width(&self) -> usize {
        1
    }

    fn main_next_row_columns(&self) -> Vec<usize> {
        vec![]
    }
}

impl<AB: AirBuilder<F = Val>> Air<AB> for Power {
    fn eval(&self, builder: &mut AB) {
        let x: AB::Expr = builder.main().current_slice()[0].into();
        builder.assert_eq(x.exp_u64(self.degree), x);
    }
}

/// What a verifier does with a proof: limits of the height first.
fn accepts(name: ConfigName, config: &Config, air: &Toy, proof: &Proof, public: &[Val]) -> bool {
    name.check(air, proof.degree_bits).is_ok() && verify(config, air, proof, public).is_ok()
}

fn prove_toy(config: &Config, log_height: usize) -> (Toy, Proof, Vec<Val>) {
    let air = Toy::new(60);
    let (trace, public) = air.trace(log_height);
    let proof = prove(config, &air, trace, &public).expect("an honest trace is provable");
    (air, proof, public)
}

#[test]
fn proves_and_verifies() {
    for name in ConfigName::ALL {
        for log_height in [MIN_LOG_HEIGHT, 5, 9] {
            let config = name.build();
            let (air, proof, public) = prove_toy(&config, log_height);
            // The verifier builds its own configuration.
            assert!(accepts(name, &name.build(), &air, &proof, &public), "{name} 2^{log_height}");
        }
    }
}

#[test]
fn rejects_another_public_value() {
    for name in ConfigName::ALL {
        let config = name.build();
        let (air, proof, public) = prove_toy(&config, 5);
        for i in 0..public.len() {
            let mut other = public.clone();
            other[i] += Val::ONE;
            assert!(!accepts(name, &config, &air, &proof, &other), "{name}, public value {i}");
        }
        assert!(!accepts(name, &config, &air, &proof, &public[1..]), "{name}");
    }
}

#[test]
fn rejects_a_tampered_proof() {
    type Tamper = fn(&mut Proof);
    let tampers: [(&str, Tamper); 10] = [
        ("trace at zeta", |p| p.opened_values.trace_local[7] += Challenge::ONE),
        ("trace at zeta·g", |p| p.opened_values.trace_next.as_mut().unwrap()[7] += Challenge::ONE),
        ("quotient", |p| p.opened_values.quotient_chunks[1][2] += Challenge::ONE),
        ("commitments", |p| {
            std::mem::swap(&mut p.commitments.trace, &mut p.commitments.quotient_chunks);
        }),
        ("height", |p| p.degree_bits += 1),
        ("unsupported height", |p| p.degree_bits = usize::MAX),
        ("final polynomial", |p| p.opening_proof.final_poly[0] += Challenge::ONE),
        ("row", |p| p.opening_proof.input_openings[0].opened_values[0][0][3] += Val::ONE),
        ("fold", |p| {
            p.opening_proof.commit_phase_openings[0].sibling_values[0][0] += Challenge::ONE;
        }),
        ("missing query", |p| {
            p.opening_proof.input_openings[0].opened_values.pop();
        }),
    ];
    for name in ConfigName::ALL {
        let config = name.build();
        let (air, proof, public) = prove_toy(&config, 9);
        let bytes = postcard::to_allocvec(&proof).unwrap();
        for (what, tamper) in tampers {
            let mut bad: Proof = postcard::from_bytes(&bytes).unwrap();
            tamper(&mut bad);
            assert!(!accepts(name, &config, &air, &bad, &public), "{name}: {what}");
        }
    }
}

/// A proof about constraints that differ in one constant, over a trace that satisfies those.
#[test]
fn rejects_other_constraints() {
    for name in ConfigName::ALL {
        let config = name.build();
        let air = Toy::new(60);
        let other = Toy { offset: Val::ONE, ..Toy::new(60) };
        let (trace, public) = other.trace(6);
        let proof = prove(&config, &other, trace, &public).unwrap();
        assert!(accepts(name, &config, &other, &proof, &public), "{name}");
        assert!(!accepts(name, &config, &air, &proof, &public), "{name}");
    }
}

/// One wrong cell. Builds with debug assertions refuse to prove it, so this runs in release only.
#[cfg(not(debug_assertions))]
#[test]
fn rejects_a_wrong_cell() {
    for name in ConfigName::ALL {
        let config = name.build();
        let air = Toy::new(60);
        let (mut trace, public) = air.trace(6);
        trace.values[33 * 60 + 41] += Val::ONE;
        let proof = prove(&config, &air, trace, &public).unwrap();
        assert!(!accepts(name, &config, &air, &proof, &public), "{name}");
    }
}

#[test]
fn configurations_do_not_accept_each_others_proofs() {
    for prover in ConfigName::ALL {
        let (air, proof, public) = prove_toy(&prover.build(), 6);
        for verifier in ConfigName::ALL {
            let accepted = accepts(verifier, &verifier.build(), &air, &proof, &public);
            assert_eq!(accepted, prover == verifier, "{prover} to {verifier}");
        }
    }
}

#[test]
fn hostile_bytes_are_refused_without_panic() {
    let name = ConfigName::Testing;
    let config = name.build();
    let (air, proof, public) = prove_toy(&config, 12);
    let bytes = postcard::to_allocvec(&proof).unwrap();
    let accepts_bytes = |bytes: &[u8]| {
        postcard::take_from_bytes::<Proof>(bytes)
            .is_ok_and(|(proof, rest)| rest.is_empty() && accepts(name, &config, &air, &proof, &public))
    };
    assert!(accepts_bytes(&bytes));
    assert!(!accepts_bytes(&[]));
    assert!(!accepts_bytes(&[bytes.as_slice(), &[0]].concat()));
    for i in (0..bytes.len()).step_by(7) {
        assert!(!accepts_bytes(&bytes[..i]), "first {i} bytes");
        let mut flipped = bytes.clone();
        flipped[i] ^= 1 << (i % 8);
        assert!(!accepts_bytes(&flipped), "byte {i}");
        // Read as a length, this is far more than the input holds.
        let mut huge = bytes.clone();
        huge.splice(i..i + 1, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
        assert!(!accepts_bytes(&huge), "length at byte {i}");
    }
}

#[test]
fn secure_has_100_proven_bits_at_every_height() {
    let name = ConfigName::Secure;
    for width in [30, 60, 640] {
        let air = Toy::new(width);
        for log_height in name.log_heights() {
            let bits = name.security(&air, log_height).unwrap();
            assert!(bits.proven >= 100, "{width} columns, 2^{log_height} rows: {bits:?}");
            assert!(bits.conjectured >= bits.proven, "{width} columns, 2^{log_height} rows: {bits:?}");
        }
    }
    let narrow = Power { degree: 3 };
    assert!(name.log_heights().all(|h| name.security(&narrow, h).unwrap().proven >= 100));
}

/// The numbers that the module's table states.
#[test]
fn security_at_2_19_is_pinned() {
    let bits = |name: ConfigName| name.security(&Toy::new(60), 19).unwrap();
    assert_eq!(
        bits(ConfigName::Secure),
        SecurityBits { conjectured: 108, proven: 100, regime: Regime::UniqueDecoding }
    );
    assert_eq!(
        bits(ConfigName::Benchmark),
        SecurityBits { conjectured: 96, proven: 65, regime: Regime::ListDecoding }
    );
    assert_eq!(
        bits(ConfigName::Testing),
        SecurityBits { conjectured: 2, proven: 1, regime: Regime::UniqueDecoding }
    );
}

#[test]
fn short_traces_are_proven_by_list_decoding() {
    let bits = ConfigName::Secure.security(&Toy::new(60), MIN_LOG_HEIGHT).unwrap();
    assert_eq!(bits.regime, Regime::ListDecoding);
}

/// Every number of every configuration, and `benchmark` against Plonky3's own constructor.
#[test]
fn parameters_are_pinned() {
    let numbers = |name: ConfigName| {
        let FriParameters {
            log_blowup,
            log_final_poly_len,
            max_log_arity,
            num_queries,
            batch_proof_of_work_bits,
            commit_proof_of_work_bits,
            query_proof_of_work_bits,
            mmcs: (),
        } = name.fri_parameters();
        (
            [log_blowup, log_final_poly_len, max_log_arity, num_queries],
            [
                name.ood_proof_of_work_bits(),
                batch_proof_of_work_bits,
                commit_proof_of_work_bits,
                query_proof_of_work_bits,
            ],
        )
    };
    assert_eq!(numbers(ConfigName::Secure), ([1, 3, 3, 204], [8, 12, 8, 16]));
    assert_eq!(numbers(ConfigName::Benchmark), ([1, 0, 1, 100], [0, 0, 0, 16]));
    assert_eq!(numbers(ConfigName::Testing), ([1, 3, 3, 2], [1, 1, 1, 1]));

    let ours = ConfigName::Benchmark.fri_parameters();
    let theirs = FriParameters::new_benchmark(());
    assert_eq!(ours.log_blowup, theirs.log_blowup);
    assert_eq!(ours.log_final_poly_len, theirs.log_final_poly_len);
    assert_eq!(ours.max_log_arity, theirs.max_log_arity);
    assert_eq!(ours.num_queries, theirs.num_queries);
    assert_eq!(ours.batch_proof_of_work_bits, theirs.batch_proof_of_work_bits);
    assert_eq!(ours.commit_proof_of_work_bits, theirs.commit_proof_of_work_bits);
    assert_eq!(ours.query_proof_of_work_bits, theirs.query_proof_of_work_bits);
    assert_eq!(Challenge::bits(), 124);
}

#[test]
fn unsupported_statements_are_typed_errors() {
    for name in ConfigName::ALL {
        let air = Toy::new(60);
        assert_eq!(name.log_heights(), 4..=23);
        for log_height in 0..4 {
            let error = ConfigError::TraceTooShort { log_height, min: 4 };
            assert_eq!(name.check(&air, log_height), Err(error.clone()));
            assert_eq!(name.security(&air, log_height), Err(error));
        }
        for log_height in [24, 25, 63, 64, usize::MAX] {
            let error = ConfigError::TraceTooTall { log_height, max: 23 };
            assert_eq!(name.check(&air, log_height), Err(error.clone()));
            assert_eq!(name.security(&air, log_height), Err(error));
        }
        assert_eq!(name.max_degree(), 3);
        assert_eq!(name.check(&Power { degree: 3 }, 4), Ok(()));
        let error = ConfigError::DegreeTooHigh { degree: 4, max: 3 };
        assert_eq!(name.check(&Power { degree: 4 }, 4), Err(error.clone()));
        assert_eq!(name.security(&Power { degree: 4 }, 4), Err(error));

        let long_period = Toy { periodic: vec![Val::zero_vec(64)], ..Toy::new(60) };
        assert_eq!(name.check(&long_period, 6), Ok(()));
        assert!(matches!(name.check(&long_period, 5), Err(ConfigError::PeriodicColumn(_))));
    }
    assert_eq!(
        ConfigError::DegreeTooHigh { degree: 5, max: 3 }.to_string(),
        "constraint degree 5 is too high: the blow-up allows 3"
    );
}

#[test]
fn commit_time_measures_or_refuses() {
    let trace = |height: usize| RowMajorMatrix::new(Val::zero_vec(60 * height), 60);
    for name in ConfigName::ALL {
        assert!(name.commit_time(trace(1 << 8)).unwrap() > Duration::ZERO);
        assert_eq!(name.commit_time(trace(0)), Err(ConfigError::HeightNotPowerOfTwo { height: 0 }));
        assert_eq!(name.commit_time(trace(48)), Err(ConfigError::HeightNotPowerOfTwo { height: 48 }));
        assert_eq!(name.commit_time(trace(8)), Err(ConfigError::TraceTooShort { log_height: 3, min: 4 }));
    }
}

#[test]
fn names_round_trip() {
    for name in ConfigName::ALL {
        assert_eq!(name.to_string().parse(), Ok(name));
        let json = serde_json::to_string(&name).unwrap();
        assert_eq!(json, format!("\"{name}\""));
        assert_eq!(serde_json::from_str::<ConfigName>(&json).unwrap(), name);
    }
    assert_eq!(ConfigName::default(), ConfigName::Secure);
    for other in ["", "Secure", "secure ", "new_benchmark"] {
        let error = other.parse::<ConfigName>().unwrap_err();
        assert!(error.to_string().contains("expected secure, benchmark or testing"));
    }
    let bits = SecurityBits { conjectured: 107, proven: 100, regime: Regime::UniqueDecoding };
    assert_eq!(
        serde_json::to_string(&bits).unwrap(),
        r#"{"conjectured":107,"proven":100,"regime":"unique-decoding"}"#
    );
}
