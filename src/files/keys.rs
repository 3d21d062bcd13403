//! Files of secret keys.

use std::io::Read;

use pem_rfc7468::LineEnding;
use zeroize::Zeroizing;

use super::error::{Fault, FileError, Reason};
use super::json::{Json, parse_document};
use super::values::{Fields, point};
use crate::Point;
use crate::curve::ScalarParseError;
use crate::curve::schnorr::{SigningKey, VerifyingKey};

/// The greatest number of bytes of a key file.
pub const MAX_KEY_FILE: u64 = 1 << 16;

/// Number of bytes of a secret.
const BYTES: usize = 32;

/// How a key is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum KeyForm {
    /// `{"secret_key":"0x…","public_key":P}`; of a public key P alone.
    #[default]
    Json,
    /// RFC 7468: the 32 bytes of the secret, most significant first, as `SEPTIC SECRET KEY`; the 29 bytes of the compressed
    /// public key as `SEPTIC PUBLIC KEY`.
    Pem,
    /// The same bytes as `0x…` and a line end.
    Hex,
}

/// Label of a secret key in PEM.
const SECRET_LABEL: &str = "SEPTIC SECRET KEY";

/// Label of a public key in PEM.
const PUBLIC_LABEL: &str = "SEPTIC PUBLIC KEY";

/// Room for a key in PEM.
const PEM_SIZE: usize = 256;

/// Reads a secret key in any form: PEM begins with dashes, hexadecimal with `0x`, everything else is JSON. `file` is its name in
/// errors. A public key beside it (in JSON) is optional, and has to belong to it.
///
/// The text that is read is erased from memory afterwards, and no other copy is made of it: JSON texts with escapes (`\`),
/// which would need one, are refused. Buffers of `reader` are not erased.
///
/// # Errors
/// What is wrong with the file.
pub fn read_key(file: &str, reader: impl Read) -> Result<SigningKey, FileError> {
    // Room for all, so that no copy is left behind by growing.
    let mut text =
        Zeroizing::new(Vec::with_capacity(usize::try_from(MAX_KEY_FILE + 1).unwrap_or(usize::MAX)));
    reader
        .take(MAX_KEY_FILE + 1)
        .read_to_end(&mut text)
        .map_err(|source| FileError::Io { file: file.to_owned(), source })?;
    if text.len() as u64 > MAX_KEY_FILE {
        return Err(Fault::new("json", Reason::TooLarge { limit: MAX_KEY_FILE }).of(file));
    }
    let of_file = |fault: Fault| fault.of(file);
    match text.trim_ascii() {
        text if text.starts_with(b"-----") => pem_key(text).map_err(of_file),
        text if text.starts_with(b"0x") => hex_key(text).map_err(of_file),
        _ if text.contains(&b'\\') => Err(Fault::new("json", Reason::Escape).of(file)),
        _ => key(parse_document(file, &text)?).map_err(of_file),
    }
}

/// The key of these bytes, which stood in `field`.
fn from_secret(field: &str, secret: &[u8; BYTES]) -> Result<SigningKey, Fault> {
    SigningKey::from_bytes(secret).map_err(|error| Fault::new(field, error.into()))
}

fn hex_key(text: &[u8]) -> Result<SigningKey, Fault> {
    let text = str::from_utf8(text).map_err(|_| Fault::new("hex", Reason::Encoding))?;
    from_secret("hex", &*secret_bytes(text).map_err(|error| Fault::new("hex", error.into()))?)
}

fn pem_key(text: &[u8]) -> Result<SigningKey, Fault> {
    let fault = |reason| Fault::new("pem", reason);
    let mut buffer = Zeroizing::new([0; PEM_SIZE]);
    // The library's errors name no contents.
    let (label, bytes) = pem_rfc7468::decode(text, buffer.as_mut_slice())
        .map_err(|error| fault(Reason::Syntax { message: error.to_string() }))?;
    if label != SECRET_LABEL {
        return Err(fault(Reason::Kind { expected: SECRET_LABEL, found: label.to_owned() }));
    }
    let secret: &[u8; BYTES] = bytes
        .try_into()
        .map_err(|_| fault(Reason::Kind { expected: "32 bytes", found: format!("{} bytes", bytes.len()) }))?;
    from_secret("pem", secret)
}

fn key(value: Json<'_>) -> Result<SigningKey, Fault> {
    let mut fields = Fields::of_item(value)?;
    fields.check_duplicates(|_| true)?;
    fields.check_known(&["secret_key", "public_key"], "secret_key and public_key")?;
    let secret = match fields.require("secret_key")? {
        Json::Text(text) => secret_bytes(&text).map_err(|error| Fault::new("secret_key", error.into()))?,
        // Not shown: a number may be the secret.
        _ => {
            let found = "another value".to_owned();
            return Err(Fault::new("secret_key", Reason::Kind { expected: "a text \"0x…\"", found }));
        }
    };
    let key = from_secret("secret_key", &secret)?;
    if let Some(value) = fields.take("public_key")
        && point("public_key", value)? != Point::Affine(key.verifying_key().0)
    {
        return Err(Fault::new("public_key", Reason::PublicKey));
    }
    Ok(key)
}

/// The bytes of `0x…`, most significant first. Errors show no hexadecimal digits.
fn secret_bytes(text: &str) -> Result<Zeroizing<[u8; BYTES]>, ScalarParseError> {
    let digits = text.strip_prefix("0x").ok_or(ScalarParseError::MissingPrefix)?;
    let count = digits.chars().count();
    match count {
        0 => return Err(ScalarParseError::Empty),
        1..=64 => {}
        digits => return Err(ScalarParseError::TooLong { digits }),
    }
    let mut bytes = Zeroizing::new([0; BYTES]);
    for (index, found) in digits.chars().enumerate() {
        let digit = found.to_digit(16).ok_or(ScalarParseError::InvalidDigit { index, found })?;
        let place = count - 1 - index;
        let digit = u8::try_from(digit << (4 * (place % 2))).unwrap_or(u8::MAX);
        bytes[BYTES - 1 - place / 2] |= digit;
    }
    Ok(bytes)
}

/// The text of a key's file. It holds the secret: the caller keeps the file from other users' eyes.
#[must_use]
pub fn write_key(key: &SigningKey, form: KeyForm) -> Zeroizing<String> {
    let bytes = key.to_bytes();
    // Room for all, so that no copy is left behind by growing.
    let mut text = Zeroizing::new(String::with_capacity(1 << 10));
    match form {
        KeyForm::Json => {
            text.push_str("{\"secret_key\":\"");
            push_hex(&mut text, bytes.as_slice());
            text.push_str(&format!("\",\"public_key\":{}}}\n", public_json(&key.verifying_key())));
        }
        KeyForm::Pem => push_pem(&mut text, SECRET_LABEL, bytes.as_slice()),
        KeyForm::Hex => {
            push_hex(&mut text, bytes.as_slice());
            text.push('\n');
        }
    }
    text
}

/// The text of a public key.
#[must_use]
pub fn write_public_key(key: &VerifyingKey, form: KeyForm) -> String {
    let bytes = key.0.to_compressed();
    let mut text = String::new();
    match form {
        KeyForm::Json => text.push_str(&public_json(key)),
        KeyForm::Pem => {
            push_pem(&mut text, PUBLIC_LABEL, &bytes);
            return text;
        }
        KeyForm::Hex => push_hex(&mut text, &bytes),
    }
    text.push('\n');
    text
}

fn public_json(key: &VerifyingKey) -> String {
    let (x, y) = key.0.to_canonical();
    format!("{{\"x\":{x:?},\"y\":{y:?}}}")
}

fn push_hex(text: &mut String, bytes: &[u8]) {
    text.push_str("0x");
    for byte in bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
        }
    }
}

/// Appends the bytes in PEM: at most 64 fit into the room there is.
fn push_pem(text: &mut String, label: &str, bytes: &[u8]) {
    let mut buffer = Zeroizing::new([0; PEM_SIZE]);
    text.push_str(
        pem_rfc7468::encode(label, LineEnding::LF, bytes, buffer.as_mut_slice()).unwrap_or_default(),
    );
}
