//! Input for the fuzzer to start from.

use septic_air::curve::schnorr::SigningKey;
use septic_air::curve::{Point, Scalar, Scalar256};
use septic_air::files::{KeyForm, SignedMessage, write_claims, write_events, write_key, write_signatures};
use septic_air::prover::machine::segments::{Assembler, Job, ListDigest, Part, Verifier};
use septic_air::prover::single::ProvableChip;
use septic_air::prover::{self, ChipProof, MixedClaim};
use septic_air::{AddEvent, Bundle, Event, Layout, Machine, MachineProof, Record, ScalarMulEvent};
use sha2::{Digest, Sha256};

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

/// Whether bytes are a valid proof of the machine about one of the targets' lists.
#[must_use]
pub fn machine_proves_a_list(bytes: &[u8]) -> bool {
    MachineProof::from_bytes(bytes).is_ok_and(|proof| {
        CLAIMS.iter().any(|(claims, _)| Machine::new(CONFIG).verify(claims, &proof).is_ok())
    })
}

/// Whether bytes with their checksum are a part, or prove one of the targets' lists in segments.
#[must_use]
pub fn segments_prove_a_list(bytes: &[u8]) -> bool {
    let whole = [bytes, Sha256::digest(bytes).as_slice()].concat();
    let verify = |claims: &[MixedClaim]| {
        let mut verifier = Verifier::new(CONFIG, whole.as_slice())?;
        claims.iter().try_for_each(|claim| verifier.push(*claim))?;
        verifier.finish()
    };
    Part::from_bytes(&whole).is_ok() || CLAIMS.iter().any(|(claims, _)| verify(claims).is_ok())
}

/// A list proven by the machine: the proof, the parts of segments of two, and the proof in segments. Without the checksums
/// that the target adds.
fn proven(events: &[Event], layout: Layout) -> (Vec<u8>, Vec<Vec<u8>>, Vec<u8>) {
    let machine = Machine::new(CONFIG).with_layout(layout);
    let prove = |events: &[Event]| {
        let (proof, claims) = machine.prove(&Record::new(events)).expect("an honest list");
        (proof.to_bytes().expect("encodes"), claims)
    };
    let mut list = ListDigest::default();
    events.iter().for_each(|event| list.push(event));
    let job = Job::new(list.finish(), 2, CONFIG, Some(layout)).expect("a good size");
    let mut assembler = Assembler::new(Vec::new(), job).expect("memory takes all");
    let mut parts = Vec::new();
    for (index, events) in (0..).zip(events.chunks(2)) {
        let (proof, claims) = prove(events);
        let part = Part::new(job, index, claims, proof).expect("a good part");
        assembler.push(&part).expect("the next part");
        parts.push(part.to_bytes().expect("encodes"));
    }
    let mut whole = assembler.finish().expect("all parts");
    for bytes in parts.iter_mut().chain([&mut whole]) {
        bytes.truncate(bytes.len() - 32);
    }
    (prove(events).0, parts, whole)
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
    let (rows_proof, rows_parts, rows_whole) = proven(&LISTS[0], Layout::RowPerBit);
    let (bits_proof, _, bits_whole) = proven(&LISTS[1], Layout::RowPerBit);
    let (half_proof, ..) = proven(&LISTS[1], Layout::HalfScalar);
    vec![
        ("events", "array", written(|text| write_events(text, all))),
        ("events", "lines", identities.iter().flat_map(line).collect()),
        ("events", "lenient", lenient.to_vec()),
        ("events", "empty", Vec::new()),
        ("claims", "array", written(|text| write_claims(text, &claims_of(all)))),
        ("claims", "identities", written(|text| write_claims(text, &claims_of(&identities)))),
        ("claims", "lenient", lenient.to_vec()),
        ("signatures", "two", written(|text| write_signatures(text, &signed))),
        ("keys", "pair", write_key(&key, KeyForm::Json).as_bytes().to_vec()),
        ("keys", "pem", write_key(&key, KeyForm::Pem).as_bytes().to_vec()),
        ("keys", "hex", write_key(&key, KeyForm::Hex).as_bytes().to_vec()),
        ("keys", "secret", br#"{"secret_key":"0xabc"}"#.to_vec()),
        ("proof", "empty", Base::new(&[]).bytes),
        ("proof", "rows", BASES[0].bytes.clone()),
        ("proof", "all", BASES[1].bytes.clone()),
        ("chip_proof", "add", one(&ADD)),
        ("chip_proof", "double", one(&DOUBLE)),
        ("chip_proof", "scalar_mul", one(&SCALAR_MUL)),
        ("chip_proof", "verify", one(&VERIFY)),
        ("machine_proof", "rows", rows_proof),
        ("machine_proof", "row_per_bit", bits_proof),
        ("machine_proof", "half_scalar", half_proof),
        ("segments", "part", rows_parts[0].clone()),
        ("segments", "rows", rows_whole),
        ("segments", "all", bits_whole),
        ("verify", "none", vec![0]),
        ("verify", "bytes", scripts(0)),
        ("verify", "fields", scripts(5)),
        ("verify", "both", scripts(6)),
    ]
}
