//! Files of secret keys.

use std::io::Read;

use zeroize::{Zeroize, Zeroizing};

use super::error::{Fault, FileError, Reason};
use super::json::{Json, parse_document};
use super::values::{Fields, point};
use crate::Point;
use crate::curve::ScalarParseError;
use crate::curve::schnorr::SigningKey;

/// The greatest number of bytes of a key file.
pub const MAX_KEY_FILE: u64 = 1 << 16;

/// Number of bytes of a secret.
const BYTES: usize = 32;

/// Reads a secret key. `file` is its name in errors. A public key beside it is optional, and has to belong to it.
///
/// The text that is read is erased from memory afterwards, and no other copy is made of it: texts with escapes (`\`),
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
    if text.contains(&b'\\') {
        return Err(Fault::new("json", Reason::Escape).of(file));
    }
    key(parse_document(file, &text)?).map_err(|fault| fault.of(file))
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
    let key = SigningKey::from_bytes(&secret).map_err(|error| Fault::new("secret_key", error.into()))?;
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
pub fn write_key(key: &SigningKey) -> Zeroizing<String> {
    let mut bytes = key.to_bytes();
    let mut text = Zeroizing::new(String::with_capacity(1 << 10));
    text.push_str("{\"secret_key\":\"0x");
    for byte in *bytes {
        for digit in [byte >> 4, byte & 15] {
            text.push(char::from_digit(digit.into(), 16).unwrap_or('0'));
        }
    }
    bytes.zeroize();
    let (x, y) = key.verifying_key().0.to_canonical();
    text.push_str(&format!("\",\"public_key\":{{\"x\":{x:?},\"y\":{y:?}}}}}\n"));
    text
}
