//! What each target does with the fuzzer's bytes: a panic is a finding.

use std::sync::LazyLock;

use septic_air::curve::schnorr::ChallengeHash;
use septic_air::curve::{Point, Scalar256, params};
use septic_air::files::{
    FileError, KeyForm, StatedEvent, read_claims, read_each_signature, read_events, read_key,
    read_signatures, write_claims, write_events, write_key, write_signatures,
};
use septic_air::prover::machine::segments::{Part, Verifier};
use septic_air::prover::single::{ClaimsOf, ProvableChip};
use septic_air::prover::{self, ChipProof, MixedClaim};
use septic_air::{
    AddChip, AddEvent, Bundle, Claim, ConfigName, DoubleChip, DoubleEvent, Event, Machine, MachineProof,
    ScalarMulChip, ScalarMulEvent, VerifyChip, VerifyEvent,
};
use sha2::{Digest, Sha256};

use crate::script::Script;
use crate::wire::{HEADER, WireBundle};

/// The configuration of all proofs here.
pub const CONFIG: ConfigName = ConfigName::Testing;

/// Signatures that are checked, not only read, of each input: a check is a hundred times as slow.
const CHECKED_SIGNATURES: usize = 2;

/// What a writer writes.
pub(crate) fn written(write: impl FnOnce(&mut Vec<u8>) -> std::io::Result<()>) -> Vec<u8> {
    let mut text = Vec::new();
    write(&mut text).expect("memory takes all");
    text
}

/// An error is one line of text.
fn check_message(error: &FileError) {
    let text = error.to_string();
    assert!(text.starts_with("file: ") && !text.contains('\n') && !text.contains('\u{1b}'), "{text:?}");
}

fn on_curve(points: impl IntoIterator<Item = Point>) {
    assert!(points.into_iter().all(|point| point.to_affine().is_none_or(|point| point.is_on_curve())));
}

fn points_of(event: &Event) -> Vec<Point> {
    match *event {
        Event::Add(AddEvent { p, q }) => vec![p, q],
        Event::Double(DoubleEvent { p }) | Event::ScalarMul(ScalarMulEvent { p, .. }) => vec![p],
        Event::Verify(VerifyEvent { a, .. }) => vec![a],
    }
}

/// The reader of events: what is read is on the curve, and reads back after writing.
pub fn events(data: &[u8]) {
    match read_events("file", data) {
        Err(error) => check_message(&error),
        Ok(read) => {
            on_curve(read.iter().flat_map(|stated| points_of(&stated.event)));
            on_curve(read.iter().filter_map(|stated| stated.out));
            let events: Vec<Event> = read.iter().map(|stated| stated.event).collect();
            let text = written(|text| write_events(text, &events));
            let again = read_events("file", text.as_slice()).expect("what is written is read");
            let bare = events.into_iter().map(|event| StatedEvent { event, out: None });
            assert!(again.into_iter().eq(bare));
        }
    }
}

/// The reader of claims: claims are events that all state a result, and read back after writing.
pub fn claims(data: &[u8]) {
    match (read_claims("file", data), read_events("file", data)) {
        (Err(error), Err(_)) => check_message(&error),
        (Err(error), Ok(events)) => {
            check_message(&error);
            assert!(events.iter().any(|stated| stated.out.is_none()));
        }
        (Ok(claims), events) => {
            let stated = claims.iter().map(|claim| StatedEvent { event: claim.event, out: Some(claim.out) });
            assert!(events.expect("claims are events").into_iter().eq(stated));
            let text = written(|text| write_claims(text, &claims));
            let again = read_claims("file", text.as_slice()).expect("what is written is read");
            assert_eq!(again, claims);
        }
    }
}

/// The readers of signatures: the strict one accepts exactly what the lenient one finds without fault.
pub fn signatures(data: &[u8]) {
    let each = match (read_signatures("file", data), read_each_signature("file", data)) {
        (Ok(all), each) => {
            let each = each.expect("a good list is a list");
            assert!(each.into_iter().map(|one| one.expect("good")).eq(all.iter().cloned()));
            all
        }
        (Err(error), each) => {
            check_message(&error);
            match each {
                Ok(each) => {
                    assert!(each.iter().any(Result::is_err));
                    each.into_iter().flatten().collect()
                }
                Err(error) => return check_message(&error),
            }
        }
    };
    on_curve(each.iter().flat_map(|one| [one.public_key.0.into(), one.signature.r.into()]));
    let text = written(|text| write_signatures(text, &each));
    assert_eq!(read_signatures("file", text.as_slice()).expect("what is written is read"), each);
    for one in each.iter().take(CHECKED_SIGNATURES) {
        for hash in [ChallengeHash::Sha256, ChallengeHash::Poseidon2] {
            // Whether a signature is valid is found in two ways.
            let message = one.message.as_bytes();
            let valid = one.public_key.verify_with(hash, message, &one.signature).is_ok();
            let e = Scalar256::from(hash.challenge(&one.signature.r, &one.public_key.0, message));
            let stated = one.challenge.is_none_or(|stated| stated == e);
            assert_eq!(one.check(hash).is_ok(), valid && stated);
        }
    }
}

/// The reader of keys: what is read is written and reads back.
pub fn keys(data: &[u8]) {
    match read_key("file", data) {
        Err(error) => check_message(&error),
        Ok(key) => {
            for form in [KeyForm::Json, KeyForm::Pem, KeyForm::Hex] {
                let again =
                    read_key("file", write_key(&key, form).as_bytes()).expect("what is written is read");
                assert_eq!(again.to_bytes(), key.to_bytes());
            }
        }
    }
}

/// True claims of one chip, and the same with a wrong result.
pub(crate) struct Statements<C: ProvableChip> {
    pub(crate) events: Vec<C::Event>,
    pub(crate) honest: ClaimsOf<C>,
    wrong: ClaimsOf<C>,
}

impl<C: ProvableChip> Statements<C> {
    fn new(event: C::Event) -> Self {
        let honest = vec![Claim::of(event)];
        let wrong = vec![Claim { event, out: honest[0].out + Point::GENERATOR }];
        Self { events: vec![event], honest, wrong }
    }
}

fn point(k: u64) -> Point {
    Point::GENERATOR.mul_vartime(&Scalar256::from(k))
}

pub(crate) static ADD: LazyLock<Statements<AddChip>> =
    LazyLock::new(|| Statements::new(AddEvent { p: point(3), q: point(4) }));
pub(crate) static DOUBLE: LazyLock<Statements<DoubleChip>> =
    LazyLock::new(|| Statements::new(DoubleEvent { p: point(5) }));
/// Starts from the second offset.
pub(crate) static SCALAR_MUL: LazyLock<Statements<ScalarMulChip>> =
    LazyLock::new(|| Statements::new(ScalarMulEvent { p: params::OFFSETS[0].into(), s: Scalar256::ZERO }));
pub(crate) static VERIFY: LazyLock<Statements<VerifyChip>> =
    LazyLock::new(|| Statements::new(VerifyEvent { a: point(6), s: Scalar256::MAX, e: Scalar256::from(7) }));

/// The lists of events that the targets' proofs are about: the rows of two chips, and every chip.
pub(crate) static LISTS: LazyLock<[Vec<Event>; 2]> = LazyLock::new(|| {
    let rows = vec![ADD.events[0].into(), DOUBLE.events[0].into()];
    let all = rows.iter().copied().chain([SCALAR_MUL.events[0].into(), VERIFY.events[0].into()]);
    [rows.clone(), all.collect()]
});

pub(crate) fn claims_of(events: &[Event]) -> Vec<MixedClaim> {
    events.iter().map(|&event| Claim { event, out: event.execute() }).collect()
}

/// The claims of a list, and lists in which one of them is wrong.
type TrueAndWrong = (Vec<MixedClaim>, Vec<Vec<MixedClaim>>);

/// The claims of each list, and for each of them a list in which it alone is wrong.
pub(crate) static CLAIMS: LazyLock<Vec<TrueAndWrong>> = LazyLock::new(|| {
    let with_wrong = |honest: Vec<MixedClaim>| {
        let wrong = (0..honest.len()).map(|i| {
            let mut wrong = honest.clone();
            wrong[i].out += Point::GENERATOR;
            wrong
        });
        (honest.clone(), wrong.collect())
    };
    LISTS.iter().map(|list| with_wrong(claims_of(list))).collect()
});

/// Bytes as a proof file: decoding and encoding agree, and no bytes prove a wrong claim.
pub fn proof(data: &[u8]) {
    let Ok(bundle) = Bundle::from_bytes(data) else { return };
    let bytes = bundle.to_bytes().expect("what was decoded encodes");
    let again = Bundle::from_bytes(&bytes).expect("what is encoded decodes");
    assert_eq!(again.to_bytes().as_deref(), Ok(bytes.as_slice()));
    // Encodings of lengths are not unique, but none is shorter.
    assert!(bytes.len() <= data.len());
    for (honest, wrong) in CLAIMS.iter() {
        // True claims: bytes may prove them.
        let accepted = bundle.verify(CONFIG, honest).is_ok();
        assert!(!(accepted && bundle.config() != CONFIG));
        assert!(wrong.iter().all(|wrong| bundle.verify(CONFIG, wrong).is_err()));
    }
    for config in ConfigName::ALL {
        let accepted = bundle.verify(config, &[]).is_ok();
        assert!(!accepted || bytes.len() == HEADER + 5, "an empty list has no proofs");
    }
}

fn chip_proof_of<C: ProvableChip>(statements: &Statements<C>, proof: &ChipProof) {
    let _ = prover::verify::<C>(CONFIG, &statements.honest, proof);
    assert!(prover::verify::<C>(CONFIG, &statements.wrong, proof).is_err());
    let _ = prover::verify::<C>(CONFIG, &[], proof);
}

/// Bytes as a proof of one chip, offered to all four: no bytes prove a wrong claim.
pub fn chip_proof(data: &[u8]) {
    let Ok((proof, _)) = postcard::take_from_bytes::<ChipProof>(data) else { return };
    let bytes = postcard::to_allocvec(&proof).expect("what was decoded encodes");
    let again: ChipProof = postcard::from_bytes(&bytes).expect("what is encoded decodes");
    assert_eq!(postcard::to_allocvec(&again).as_deref(), Ok(bytes.as_slice()));
    chip_proof_of(&ADD, &proof);
    chip_proof_of(&DOUBLE, &proof);
    chip_proof_of(&SCALAR_MUL, &proof);
    chip_proof_of(&VERIFY, &proof);
}

/// Bytes as a proof of the machine: what decodes is what the encoder writes, and no bytes prove a wrong claim.
pub fn machine_proof(data: &[u8]) {
    let Ok(proof) = MachineProof::from_bytes(data) else { return };
    assert_eq!(proof.to_bytes().as_deref(), Ok(data));
    let machine = Machine::new(CONFIG);
    for (honest, wrong) in CLAIMS.iter() {
        let accepted = machine.verify(honest, &proof).is_ok();
        assert!(!(accepted && proof.config() != CONFIG));
        assert!(wrong.iter().all(|wrong| machine.verify(wrong, &proof).is_err()));
    }
}

/// Bytes as a proof in segments and, with their checksum, as a part: no bytes prove a wrong claim.
pub fn segments(data: &[u8]) {
    let whole = [data, Sha256::digest(data).as_slice()].concat();
    if let Ok(part) = Part::from_bytes(&whole) {
        assert_eq!(part.to_bytes().as_deref(), Ok(whole.as_slice()));
    }
    let verify = |claims: &[MixedClaim]| {
        let mut verifier = Verifier::new(CONFIG, whole.as_slice())?;
        claims.iter().try_for_each(|claim| verifier.push(*claim))?;
        verifier.finish()
    };
    for (honest, wrong) in CLAIMS.iter() {
        let _ = verify(honest);
        assert!(wrong.iter().all(|wrong| verify(wrong).is_err()));
    }
}

/// A valid proof file.
pub(crate) struct Base {
    pub(crate) bytes: Vec<u8>,
    /// The same without what may differ between valid proofs.
    stripped: Vec<u8>,
}

impl Base {
    pub(crate) fn new(events: &[Event]) -> Self {
        let (bundle, claims) = Bundle::prove(CONFIG, events, &mut ()).expect("an honest list");
        bundle.verify(CONFIG, &claims).expect("an honest proof");
        let bytes = bundle.to_bytes().expect("encodes");
        Self { bytes, stripped: WireBundle::without_query_witnesses(&bundle) }
    }
}

/// A valid proof of each list.
pub(crate) static BASES: LazyLock<Vec<Base>> =
    LazyLock::new(|| LISTS.iter().map(|list| Base::new(list)).collect());

/// Changes a valid proof as the bytes say: its fields, then its bytes. It is accepted only if it is the same proof,
/// and never for a wrong claim.
///
/// Returns whether the changed bytes still decode, and whether they are accepted.
pub fn verify_script(data: &[u8]) -> (bool, bool) {
    let mut script = Script(data);
    let first = usize::from(script.byte().unwrap_or(0));
    let which = first % BASES.len();
    let (base, other) = (&BASES[which], &BASES[1 - which]);
    let (fields, and_bytes) = [(0, true), (1, false), (4, false), (1, true)][first / 2 % 4];
    let mut wire: WireBundle = postcard::from_bytes(&base.bytes[HEADER..]).expect("an honest proof");
    for _ in 0..fields {
        let _ = script.change_fields(&mut wire);
    }
    let mut bytes = postcard::to_extend(&wire, base.bytes[..HEADER].to_vec()).expect("encodes");
    while and_bytes && script.change_bytes(&mut bytes, &other.bytes).is_some() {}
    let Ok(bundle) = Bundle::from_bytes(&bytes) else { return (false, false) };
    let (honest, wrong) = &CLAIMS[which];
    let accepted = bundle.verify(CONFIG, honest).is_ok();
    assert!(!accepted || WireBundle::without_query_witnesses(&bundle) == base.stripped, "another proof");
    let wrong = &wrong[first / 8 % wrong.len()];
    assert!(bundle.verify(CONFIG, wrong).is_err(), "a wrong claim");
    (true, accepted)
}

/// See [`verify_script`].
pub fn verify(data: &[u8]) {
    verify_script(data);
}
