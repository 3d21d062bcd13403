//! Files of events, claims, signatures and keys in JSON; keys in PEM and hexadecimal too.
//!
//! | file | form | read | written |
//! | --- | --- | --- | --- |
//! | events | `{"op":"add","p":P,"q":P}`, `{"op":"double","p":P}`, `{"op":"scalar_mul","p":P,"s":S}`, `{"op":"verify","a":P,"s":S,"e":S}` | [`read_events`] | [`write_events`] |
//! | claims | the same, each with `"out":P` | [`read_claims`] | [`write_claims`] |
//! | signatures | `{"signatures":[{"message":TEXT,"public_key":P,"R":P,"s":S,"e":S}]}` | [`read_signatures`] | [`write_signatures`] |
//! | key | `{"secret_key":S,"public_key":P}`, or PEM, or `0x…`: see [`KeyForm`] | [`read_key`] | [`write_key`] |
//!
//! P is `{"x":[7 numbers],"y":[7 numbers]}`, canonical coefficients with the low degree first, or `null` for the
//! identity. S is a string `"0x…"` of 1 to 64 hexadecimal digits, most significant first.
//!
//! A list of events or claims is an array, or one object a line, or an empty file. Writers make an array with one
//! object a line; what they write reads back as the same values.
//!
//! # What is refused
//!
//! Readers are strict: numbers that are not below p (or not written as integers), points off the curve, lists of
//! another length, unknown operations, fields that are missing, given twice or unknown. Two leniences: events and
//! claims may have a field `case`, and everything else that a signature file holds is ignored; both without a
//! meaning. Events may state `out`; the caller compares it with the result.
//!
//! Errors read `FILE: event I: FIELD: reason` (or `signature I`), where FIELD is a path such as `p.x[3]`, or `json` if
//! the text is no JSON. I counts from 0.
//!
//! Readers stop at the first error. They take memory in proportion to the list they return and to its longest item, of
//! which the value of `case` is not kept; an object or list of more than 64 members and a file that begins with more than
//! 65,536 blanks are refused.
//! [`for_each_event`], [`for_each_claim`] and [`for_each_signature`] return no list and hold one item at a time; so does
//! [`ClaimsWriter`].

mod error;
mod events;
mod json;
mod keys;
mod signatures;
mod values;

pub use error::{Fault, FileError, Item, Reason};
pub use events::{
    ClaimsWriter, StatedEvent, for_each_claim, for_each_event, read_claims, read_events, write_claims,
    write_events,
};
pub use keys::{KeyForm, MAX_KEY_FILE, read_key, write_key, write_public_key};
pub use signatures::{
    SignedMessage, for_each_signature, read_each_signature, read_signatures, write_signatures,
};
