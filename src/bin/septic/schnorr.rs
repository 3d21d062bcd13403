//! `septic schnorr`.

use std::io::BufRead;

use p3_maybe_rayon::prelude::*;
use rand::rngs::{StdRng, SysRng};
use rand::{Rng, SeedableRng, TryRng};
use septic_air::curve::schnorr::{ChallengeHash, SigningKey};
use septic_air::files::{
    Fault, FileError, Item, Reason, SignedMessage, read_each_signature, read_key, write_key,
    write_public_key, write_signatures,
};
use serde_json::json;
use zeroize::Zeroizing;

use crate::args::{KeygenArgs, Place, PublicArgs, SchnorrArgs, SchnorrCheckArgs, SchnorrCommand, SignArgs};
use crate::console::Console;
use crate::failure::{Failure, Outcome};
use crate::files::{Access, Staged, about, check_inputs, check_outputs, open, open_unbuffered};

pub(crate) fn run(args: &SchnorrArgs, console: &Console) -> Result<Outcome, Failure> {
    match &args.command {
        SchnorrCommand::Keygen(args) => keygen(args, console),
        SchnorrCommand::Sign(args) => sign(args, console),
        SchnorrCommand::Public(args) => public(args, console),
        SchnorrCommand::Check(args) => check(args, console),
    }
}

/// Random bytes of the system.
fn system_random<const N: usize>() -> Result<Zeroizing<[u8; N]>, Failure> {
    let mut bytes = Zeroizing::new([0; N]);
    SysRng
        .try_fill_bytes(bytes.as_mut_slice())
        .map_err(|error| Failure::unusable(format!("randomness: {error}")))?;
    Ok(bytes)
}

/// The next key of a generator. Not secret if the generator's seed is not.
pub(crate) fn next_key(rng: &mut StdRng) -> SigningKey {
    let mut bytes = Zeroizing::new([0; 64]);
    loop {
        rng.fill_bytes(bytes.as_mut_slice());
        if let Ok(key) = SigningKey::from_uniform_bytes(&bytes) {
            return key;
        }
    }
}

fn keygen(args: &KeygenArgs, console: &Console) -> Result<Outcome, Failure> {
    check_outputs(&[&args.output], console)?;
    if let (Place::File(path), false) = (&args.output, args.force) {
        // Checked again when the file is put in its place; here for a clear message.
        if path.is_file() {
            return Err(about(&args.output, "there is a file already; --force replaces it"));
        }
    }
    let key = match args.seed {
        Some(seed) => next_key(&mut StdRng::seed_from_u64(seed)),
        None => SigningKey::from_uniform_bytes(&*system_random()?).map_err(Failure::unusable)?,
    };
    let text = write_key(&key, args.format.into());
    let staged = Staged::new(&args.output, Access::Owner, |writer| writer.write_all(text.as_bytes()))?;
    if args.force {
        staged.commit(console)?
    } else {
        staged.commit_new(console)?
    }
    console.summary(&json!({ "public_key": key.verifying_key() }))?;
    console.message(format_args!("wrote a secret key to {}", args.output));
    Ok(Outcome::Done)
}

fn public(args: &PublicArgs, console: &Console) -> Result<Outcome, Failure> {
    check_outputs(&[&args.output], console)?;
    let key = read_key(&args.key.to_string(), open_unbuffered(&args.key)?)?.verifying_key();
    let text = write_public_key(&key, args.format.into());
    Staged::new(&args.output, Access::Usual, |writer| writer.write_all(text.as_bytes()))?.commit(console)?;
    console.summary(&json!({ "public_key": key }))?;
    Ok(Outcome::Done)
}

fn sign(args: &SignArgs, console: &Console) -> Result<Outcome, Failure> {
    check_outputs(&[&args.output], console)?;
    let inputs: Vec<&Place> = [Some(&args.key), args.messages.as_ref()].into_iter().flatten().collect();
    check_inputs(&inputs)?;
    let key = read_key(&args.key.to_string(), open_unbuffered(&args.key)?)?;
    let messages = match &args.messages {
        Some(place) => read_messages(place)?,
        None => args.message.clone(),
    };
    let randomness = if args.hedged { Some(system_random::<32>()?) } else { None };

    let hash = args.challenge.into();
    let bar = console.bar("sign", messages.len());
    let signed: Vec<SignedMessage> = messages
        .into_par_iter()
        .map(|message| {
            let signed = signed_message(&key, hash, message, randomness.as_deref());
            bar.inc(1);
            signed
        })
        .collect();
    bar.finish_and_clear();

    Staged::new(&args.output, Access::Usual, |writer| write_signatures(writer, &signed))?.commit(console)?;
    console.summary(&json!({ "signatures": signed.len(), "public_key": key.verifying_key() }))?;
    console.message(format_args!("signed {} messages", signed.len()));
    Ok(Outcome::Done)
}

/// Signs a message. Nonces depend on the message too, so one `randomness` serves many.
pub(crate) fn signed_message(
    key: &SigningKey,
    hash: ChallengeHash,
    message: String,
    randomness: Option<&[u8; 32]>,
) -> SignedMessage {
    let signature = key.sign_with(hash, message.as_bytes(), randomness);
    let public_key = key.verifying_key();
    let challenge = hash.challenge(&signature.r, &public_key.0, message.as_bytes());
    SignedMessage { message, public_key, signature, challenge: Some(challenge.into()) }
}

/// Messages, one a line.
fn read_messages(place: &Place) -> Result<Vec<String>, Failure> {
    let file = place.to_string();
    let mut messages = Vec::new();
    for (i, line) in open(place)?.split(b'\n').enumerate() {
        let mut line = line.map_err(|error| about(place, error))?;
        if line.ends_with(b"\r") {
            line.pop();
        }
        let message = String::from_utf8(line)
            .map_err(|_| Fault::new("text", Reason::Encoding).at(&file, Item::Message, i))?;
        messages.push(message);
    }
    Ok(messages)
}

fn check(args: &SchnorrCheckArgs, console: &Console) -> Result<Outcome, Failure> {
    let file = args.file.to_string();
    let messages = read_each_signature(&file, open(&args.file)?)?;
    let hash = args.challenge.into();
    let bar = console.bar("check", messages.len());
    let verdicts: Vec<Result<(), Fault>> = messages
        .par_iter()
        .map(|message| {
            let verdict = message.as_ref().map_err(Clone::clone).and_then(|message| message.check(hash));
            bar.inc(1);
            verdict.map(drop)
        })
        .collect();
    bar.finish_and_clear();

    let count = verdicts.len();
    let failed: Vec<(usize, FileError)> = verdicts
        .into_iter()
        .enumerate()
        .filter_map(|(i, verdict)| Some((i, verdict.err()?.at(&file, Item::Signature, i))))
        .collect();
    let listed: Vec<_> = failed
        .iter()
        .filter_map(|(i, error)| match error {
            FileError::Item { fault, .. } => {
                Some(json!({ "signature": i, "field": fault.field, "reason": fault.reason.to_string() }))
            }
            _ => None,
        })
        .collect();
    console.summary(&json!({ "signatures": count, "valid": count - failed.len(), "failed": listed }))?;
    let lines: Vec<_> = failed.iter().map(|(_, error)| error.to_string()).collect();
    if lines.is_empty() {
        console.result(format_args!("all {count} signatures are valid"))?;
        return Ok(Outcome::Done);
    }
    console.result(lines.join("\n"))?;
    let message = format!("rejected: {file}: {} of {count} signatures are not valid", failed.len());
    // A signature that cannot even be read is worse than one that is not valid.
    Err(if failed.iter().all(|(_, error)| error.is_rejection()) {
        Failure::Rejected(message)
    } else {
        Failure::Unusable(message)
    })
}
