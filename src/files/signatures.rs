//! Files of signed messages.

use std::io::{self, BufRead, Write};

use serde::Serialize;

use super::error::{Fault, FileError, Item, Reason};
use super::events::write_list;
use super::json::{Json, read_list_field, stoppable};
use super::values::{Fields, kind};
use crate::curve::schnorr::{ChallengeHash, Signature, SignatureError, VerifyingKey};
use crate::{Claim, MixedClaim, Point, Scalar256, VerifyEvent};

/// A message, who signed it, and the signature. Nothing says that it is valid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignedMessage {
    /// The message.
    pub message: String,
    /// The signer's key.
    pub public_key: VerifyingKey,
    /// The signature.
    pub signature: Signature,
    /// The challenge, if it is stated. It may be wrong.
    pub challenge: Option<Scalar256>,
}

impl SignedMessage {
    /// The claim s·G + e·A = R that makes this signature valid: the challenge e is computed, not taken from
    /// [`Self::challenge`]. The claim may be false.
    ///
    /// # Errors
    /// A field that makes the signature invalid whatever the curve says: s is not below the order, or the stated
    /// challenge is wrong.
    pub fn claim(&self, hash: ChallengeHash) -> Result<MixedClaim, Fault> {
        let (s, e) = self
            .public_key
            .statement_with(hash, self.message.as_bytes(), &self.signature)
            .map_err(|error| Fault::new("s", error.into()))?;
        if self.challenge.is_some_and(|stated| stated != e) {
            return Err(Fault::new("e", Reason::Challenge));
        }
        let event = VerifyEvent { a: self.public_key.0.into(), s, e }.into();
        Ok(Claim { event, out: Point::Affine(self.signature.r) })
    }

    /// [`Self::claim`], if it is true: the signature is valid.
    ///
    /// # Errors
    /// Why it is not.
    pub fn check(&self, hash: ChallengeHash) -> Result<MixedClaim, Fault> {
        let claim = self.claim(hash)?;
        if claim.event.execute() == claim.out {
            Ok(claim)
        } else {
            Err(Fault::new("s", SignatureError::Mismatch.into()))
        }
    }
}

/// Reads signed messages. `file` is its name in errors.
///
/// # Errors
/// The first thing that is wrong with the file.
pub fn read_signatures(file: &str, reader: impl BufRead) -> Result<Vec<SignedMessage>, FileError> {
    let mut messages = Vec::new();
    read_list_field(file, "signatures", Item::Signature, reader, |value| {
        messages.push(signed_message(value)?);
        Ok(())
    })?;
    Ok(messages)
}

/// Reads signed messages, with the error of each one that has the wrong form in its place.
///
/// # Errors
/// If the file cannot be read, or as a whole has the wrong form.
pub fn read_each_signature(
    file: &str,
    reader: impl BufRead,
) -> Result<Vec<Result<SignedMessage, Fault>>, FileError> {
    let mut messages = Vec::new();
    read_list_field(file, "signatures", Item::Signature, reader, |value| {
        messages.push(signed_message(value));
        Ok(())
    })?;
    Ok(messages)
}

/// Reads signed messages one by one, in constant memory, and gives each to a function that may stop.
///
/// # Errors
/// The first thing that is wrong with the file, or what the function stopped with.
pub fn for_each_signature<E: From<FileError>>(
    file: &str,
    reader: impl BufRead,
    each: impl FnMut(SignedMessage) -> Result<(), E>,
) -> Result<(), E> {
    stoppable(
        |items| read_list_field(file, "signatures", Item::Signature, reader, items),
        signed_message,
        each,
    )
}

fn signed_message(value: Json<'_>) -> Result<SignedMessage, Fault> {
    let mut fields = Fields::of_item(value)?;
    fields.check_duplicates(|name| matches!(name, "message" | "public_key" | "R" | "s" | "e"))?;
    let message = match fields.require("message")? {
        Json::Text(text) => text.into_owned(),
        other => return Err(Fault::new("message", kind("a text", &other))),
    };
    let public_key = VerifyingKey(fields.affine_point("public_key")?);
    let signature = Signature { r: fields.affine_point("R")?, s: fields.scalar("s")? };
    let challenge = fields.take("e").map(|value| super::values::scalar("e", &value)).transpose()?;
    Ok(SignedMessage { message, public_key, signature, challenge })
}

/// Writes signed messages, one a line, in the form that [`read_signatures`] reads.
///
/// # Errors
/// Those of the writer.
pub fn write_signatures(mut writer: impl Write, messages: &[SignedMessage]) -> io::Result<()> {
    #[derive(Serialize)]
    struct Line<'a> {
        message: &'a str,
        public_key: Point,
        #[serde(rename = "R")]
        r: Point,
        s: Scalar256,
        #[serde(skip_serializing_if = "Option::is_none")]
        e: Option<Scalar256>,
    }

    writer.write_all(b"{\"signatures\":")?;
    let lines = messages.iter().map(|m| Line {
        message: &m.message,
        public_key: m.public_key.0.into(),
        r: m.signature.r.into(),
        s: m.signature.s,
        e: m.challenge,
    });
    let mut list = Vec::new();
    write_list(&mut list, lines)?;
    writer.write_all(list.trim_ascii_end())?;
    writer.write_all(b"}\n")
}
