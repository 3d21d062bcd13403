//! The readers and writers of files, without the binary.

use std::io::{self, BufReader, Read};

use septic_air::curve::schnorr::{ChallengeHash, SigningKey};
use septic_air::curve::{Point, Scalar, Scalar256};
use septic_air::files::{
    FileError, Item, KeyForm, Reason, SignedMessage, StatedEvent, read_claims, read_each_signature,
    read_events, read_key, read_signatures, write_claims, write_events, write_key, write_signatures,
};
use septic_air::{AddEvent, Claim, DoubleEvent, Event, MixedClaim, ScalarMulEvent, VerifyEvent};

/// Multiples of the generator, the identity among them.
fn points() -> impl Iterator<Item = Point> {
    (0_u64..).map(|i| Point::GENERATOR.mul_vartime(&Scalar256::from(i * i * 0x1234_5678_9abc)))
}

fn scalars() -> impl Iterator<Item = Scalar256> {
    (0_u32..).map(|i| match i {
        0 => Scalar256::ZERO,
        1 => Scalar256::MAX,
        i => {
            Scalar256::from_le_limbs(core::array::from_fn(|k| i.wrapping_pow(7 + u32::from(k == 0)) ^ 0xdead))
        }
    })
}

fn claims() -> Vec<MixedClaim> {
    let (mut points, mut scalars) = (points(), scalars());
    let mut p = || points.next().unwrap();
    let mut s = || scalars.next().unwrap();
    let mut claims = Vec::new();
    for _ in 0..20 {
        let events: [Event; 4] = [
            AddEvent { p: p(), q: p() }.into(),
            DoubleEvent { p: p() }.into(),
            ScalarMulEvent { p: p(), s: s() }.into(),
            VerifyEvent { a: p(), s: s(), e: s() }.into(),
        ];
        claims.extend(events.map(|event| Claim { event, out: event.execute() }));
    }
    claims
}

#[test]
fn what_is_written_is_read() {
    let claims = claims();
    let mut text = Vec::new();
    write_claims(&mut text, &claims).unwrap();
    assert_eq!(read_claims("claims", text.as_slice()).unwrap(), claims);

    let events: Vec<Event> = claims.iter().map(|claim| claim.event).collect();
    let mut text = Vec::new();
    write_events(&mut text, &events).unwrap();
    let stated: Vec<StatedEvent> = events.iter().map(|&event| StatedEvent { event, out: None }).collect();
    assert_eq!(read_events("events", text.as_slice()).unwrap(), stated);

    let key = SigningKey::from_scalar(Scalar::from(77)).unwrap();
    for form in [KeyForm::Json, KeyForm::Pem, KeyForm::Hex] {
        let read = read_key("key", write_key(&key, form).as_bytes()).unwrap();
        assert_eq!(read.to_bytes(), key.to_bytes());
    }

    let hash = ChallengeHash::Sha256;
    let signed: Vec<SignedMessage> = ["", "a", "\"\\\u{7}\u{1f980}\n"]
        .into_iter()
        .map(|message| {
            let signature = key.sign(message.as_bytes());
            let public_key = key.verifying_key();
            SignedMessage { message: message.to_owned(), public_key, signature, challenge: None }
        })
        .collect();
    for stated in [false, true] {
        let mut signed = signed.clone();
        for message in &mut signed {
            let e = hash.challenge(&message.signature.r, &message.public_key.0, message.message.as_bytes());
            message.challenge = stated.then(|| e.into());
            message.check(hash).unwrap();
        }
        let mut text = Vec::new();
        write_signatures(&mut text, &signed).unwrap();
        assert_eq!(read_signatures("signed", text.as_slice()).unwrap(), signed);
    }
}

#[test]
fn errors_are_typed() {
    let text = "[{\"op\":\"double\",\"p\":null},\n{\"op\":\"double\",\"p\":7}]";
    match read_events("name", text.as_bytes()) {
        Err(FileError::Item { file, item, index, fault }) => {
            assert_eq!((file.as_str(), item, index, fault.field.as_str()), ("name", Item::Event, 1, "p"));
            assert!(matches!(fault.reason, Reason::Kind { .. }));
        }
        other => panic!("{other:?}"),
    }
    let wrong = StatedEvent { event: DoubleEvent { p: Point::GENERATOR }.into(), out: Some(Point::Identity) };
    let fault = wrong.check(wrong.event.execute()).unwrap_err();
    assert_eq!(fault.field, "out");
    assert!(fault.at("name", Item::Event, 0).is_rejection());
    assert!(!read_claims("name", text.as_bytes()).unwrap_err().is_rejection());

    // A signature of the wrong form does not hide the others.
    let text = "{\"signatures\":[{},[],{\"message\":\"\"}]}";
    let each = read_each_signature("name", text.as_bytes()).unwrap();
    assert_eq!(each.len(), 3);
    assert!(each.iter().all(Result::is_err));
}

#[test]
fn reading_fails_as_the_file_does() {
    struct Broken(usize);

    impl Read for Broken {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let text = b"[{\"op\":\"double\",";
            if self.0 == text.len() {
                return Err(io::Error::other("disk on fire"));
            }
            buffer[0] = text[self.0];
            self.0 += 1;
            Ok(1)
        }
    }

    let message = |error: FileError| {
        assert!(matches!(error, FileError::Io { .. }), "{error:?}");
        error.to_string()
    };
    let expected = "name: disk on fire";
    assert_eq!(message(read_events("name", BufReader::new(Broken(0))).unwrap_err()), expected);
    assert_eq!(message(read_events("name", BufReader::new(Broken(1))).unwrap_err()), expected);
    assert_eq!(message(read_events("name", BufReader::new(Broken(16))).unwrap_err()), expected);
    assert_eq!(message(read_signatures("name", BufReader::new(Broken(1))).unwrap_err()), expected);
    assert_eq!(message(read_key("name", Broken(3)).unwrap_err()), expected);
}

#[test]
fn no_text_panics() {
    let mut good = Vec::new();
    write_claims(&mut good, &claims()[..4]).unwrap();
    let alphabet = b"{}[],:\"\\0123456789.-+eExopqsa null\n\t\0\xff\xc3";
    let mut state = 1_u64;
    let mut number = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 20).unwrap() % below
    };
    let mut refused = 0;
    for _ in 0..20_000 {
        let mut text = good.clone();
        for _ in 0..1 + number(3) {
            let at = number(text.len());
            match number(4) {
                0 => text[at] = alphabet[number(alphabet.len())],
                1 => text.insert(at, alphabet[number(alphabet.len())]),
                2 => drop(text.drain(at..text.len().min(at + number(20)))),
                _ => {
                    let copied = text[at..text.len().min(at + number(40))].to_vec();
                    text.splice(at..at, copied);
                }
            }
        }
        if let Err(error) = read_claims("name", text.as_slice()) {
            let error = error.to_string();
            assert!(error.starts_with("name: ") && !error.contains('\n'), "{error}");
            refused += 1;
        }
        let _ = read_signatures("name", text.as_slice());
        let _ = read_key("name", text.as_slice());
    }
    assert!(refused > 15_000, "{refused}");
}
