//! Input for the fuzzer to start from.

use septic_air::curve::schnorr::SigningKey;
use septic_air::curve::{Point, Scalar, Scalar256};
use septic_air::files::{SignedMessage, write_claims, write_events, write_key, write_signatures};
use septic_air::prover::single::ProvableChip;
use septic_air::prover::{self, ChipProof};
use septic_air::{AddEvent, Bundle, Event, ScalarMulEvent};

use crate::targets::{
    ADD, BASES, Base, CLAIMS, CONFIG, DOUBLE, LISTS, SCALAR_MUL, Statements, VERIFY, claims_of, written,
};

/// Whether bytes are a valid proof file of one of the targets' lists.
#[must_use]
pub fn proves_a_list(bytes: &[u8]) -> bool {
    let empty = Vec::new();
    let mut lists = CLAIMS.iter().map(|(honest, _)| honest).chain([&empty]);
    Bundle::from_bytes(bytes).is_ok_and(|bundle| lists.any(|claims| bundle.verify(CONFIG, claims).is_ok()))
}

/// Whether bytes are a valid proof of one of the targets' events.
#[must_use]
pub fn proves_an_event(bytes: &[u8]) -> bool {
    fn by<C: ProvableChip>(statements: &Statements<C>, proof: &ChipProof) -> bool {
        prover::verify::<C>(CONFIG, &statements.honest, proof).is_ok()
    }
    postcard::from_bytes::<ChipProof>(bytes).is_ok_and(|proof| {
        by(&ADD, &proof) || by(&DOUBLE, &proof) || by(&SCALAR_MUL, &proof) || by(&VERIFY, &proof)
    })
}

/// Input to start from: the target, a name, the bytes.
#[must_use]
pub fn seeds() -> Vec<(&'static str, &'static str, Vec<u8>)> {
    fn one<C: ProvableChip>(statements: &Statements<C>) -> Vec<u8> {
        let (proof, _) = prover::prove::<C>(CONFIG, &statements.events).expect("an honest list");
        postcard::to_allocvec(&proof).expect("encodes")
    }
    let [_, all] = &*LISTS;
    let identities: Vec<Event> = vec![
        AddEvent { p: Point::Identity, q: Point::GENERATOR }.into(),
        ScalarMulEvent { p: Point::Identity, s: Scalar256::MAX }.into(),
    ];
    // One a line, as no writer of ours does.
    let line = |event: &Event| {
        let list = written(|text| write_events(text, &[*event]));
        list[2..list.len() - 2].to_vec()
    };
    let lenient = br#"{"op":"double","case":[1.5e3,"\u00e9",{"":false}],"p":null,"out":null}"#;
    let signed: Vec<SignedMessage> = [("", false), ("ETH/USDC:BUY:100:1", true)]
        .into_iter()
        .map(|(message, stated)| {
            let key = SigningKey::from_scalar(Scalar::from(41)).expect("not zero");
            let (public_key, signature) = (key.verifying_key(), key.sign(message.as_bytes()));
            let (_, e) = public_key.statement(message.as_bytes(), &signature).expect("a good signature");
            SignedMessage {
                message: message.to_owned(),
                public_key,
                signature,
                challenge: stated.then_some(e),
            }
        })
        .collect();
    let key = SigningKey::from_scalar(Scalar::from(42)).expect("not zero");
    // A change of each kind somewhere in each proof.
    let scripts = |first: u8| -> Vec<u8> {
        [first].into_iter().chain((0..20).flat_map(|kind| [kind, 1, kind, 7 * kind, 3, kind, 5, 9])).collect()
    };
    vec![
        ("events", "array", written(|text| write_events(text, all))),
        ("events", "lines", identities.iter().flat_map(line).collect()),
        ("events", "lenient", lenient.to_vec()),
        ("events", "empty", Vec::new()),
        ("claims", "array", written(|text| write_claims(text, &claims_of(all)))),
        ("claims", "identities", written(|text| write_claims(text, &claims_of(&identities)))),
        ("claims", "lenient", lenient.to_vec()),
        ("signatures", "two", written(|text| write_signatures(text, &signed))),
        ("keys", "pair", write_key(&key).as_bytes().to_vec()),
        ("keys", "secret", br#"{"secret_key":"0xabc"}"#.to_vec()),
        ("proof", "empty", Base::new(&[]).bytes),
        ("proof", "rows", BASES[0].bytes.clone()),
        ("proof", "all", BASES[1].bytes.clone()),
        ("chip_proof", "add", one(&ADD)),
        ("chip_proof", "double", one(&DOUBLE)),
        ("chip_proof", "scalar_mul", one(&SCALAR_MUL)),
        ("chip_proof", "verify", one(&VERIFY)),
        ("verify", "none", vec![0]),
        ("verify", "bytes", scripts(0)),
        ("verify", "fields", scripts(5)),
        ("verify", "both", scripts(6)),
    ]
}
