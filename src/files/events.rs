//! Files of events and claims.

use std::io::{self, BufRead, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::error::{Fault, FileError, Item, Reason};
use super::json::{Json, read_list};
use super::values::{Fields, kind, point, shown};
use crate::{AddEvent, Claim, DoubleEvent, Event, MixedClaim, Operation, Point, ScalarMulEvent, VerifyEvent};

/// An event of a file, with the result if the file states one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct StatedEvent {
    /// The event.
    pub event: Event,
    /// The result that the file states. It may be wrong.
    pub out: Option<Point>,
}

impl StatedEvent {
    /// Compares the stated result, if there is one, with the real one.
    ///
    /// # Errors
    /// [`Reason::Result`] about the field `out`.
    pub fn check(&self, result: Point) -> Result<(), Fault> {
        match self.out {
            Some(out) if out != result => {
                Err(Fault::new("out", Reason::Result { operation: self.event.operation() }))
            }
            _ => Ok(()),
        }
    }
}

/// Reads events. `file` is its name in errors.
///
/// # Errors
/// The first thing that is wrong with the file.
pub fn read_events(file: &str, reader: impl BufRead) -> Result<Vec<StatedEvent>, FileError> {
    let mut events = Vec::new();
    read_list(file, Item::Event, reader, |value| {
        events.push(stated_event(value)?);
        Ok(())
    })?;
    Ok(events)
}

/// Reads claims: events that all state their result. `file` is its name in errors.
///
/// # Errors
/// The first thing that is wrong with the file.
pub fn read_claims(file: &str, reader: impl BufRead) -> Result<Vec<MixedClaim>, FileError> {
    let mut claims = Vec::new();
    read_list(file, Item::Event, reader, |value| {
        let StatedEvent { event, out } = stated_event(value)?;
        let out = out.ok_or_else(|| Fault::new("out", Reason::Missing))?;
        claims.push(Claim { event, out });
        Ok(())
    })?;
    Ok(claims)
}

/// The fields of an operation, and the same in words.
const fn fields_of(operation: Operation) -> (&'static [&'static str], &'static str) {
    match operation {
        Operation::Add => (&["op", "p", "q", "out", "case"], "op, p, q, out"),
        Operation::Double => (&["op", "p", "out", "case"], "op, p, out"),
        Operation::ScalarMul => (&["op", "p", "s", "out", "case"], "op, p, s, out"),
        Operation::Verify => (&["op", "a", "s", "e", "out", "case"], "op, a, s, e, out"),
    }
}

fn operation(value: &Json<'_>) -> Result<Operation, Fault> {
    let reason = match value {
        Json::Text(name) => match Operation::ALL.into_iter().find(|operation| operation.name() == name) {
            Some(operation) => return Ok(operation),
            None => Reason::Operation { found: shown(name) },
        },
        other => kind("the name of an operation", other),
    };
    Err(Fault::new("op", reason))
}

fn stated_event(value: Json<'_>) -> Result<StatedEvent, Fault> {
    let mut fields = Fields::of_item(value)?;
    fields.check_duplicates(|name| name != "case")?;
    let operation = operation(&fields.require("op")?)?;
    let (known, expected) = fields_of(operation);
    fields.check_known(known, expected)?;
    let event = match operation {
        Operation::Add => AddEvent { p: fields.point("p")?, q: fields.point("q")? }.into(),
        Operation::Double => DoubleEvent { p: fields.point("p")? }.into(),
        Operation::ScalarMul => ScalarMulEvent { p: fields.point("p")?, s: fields.scalar("s")? }.into(),
        Operation::Verify => {
            VerifyEvent { a: fields.point("a")?, s: fields.scalar("s")?, e: fields.scalar("e")? }.into()
        }
    };
    let out = fields.take("out").map(|out| point("out", out)).transpose()?;
    Ok(StatedEvent { event, out })
}

/// An event, perhaps with its result, as an object.
struct Line<'a> {
    event: &'a Event,
    out: Option<&'a Point>,
}

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("op", self.event.operation().name())?;
        match self.event {
            Event::Add(AddEvent { p, q }) => {
                map.serialize_entry("p", p)?;
                map.serialize_entry("q", q)?;
            }
            Event::Double(DoubleEvent { p }) => map.serialize_entry("p", p)?,
            Event::ScalarMul(ScalarMulEvent { p, s }) => {
                map.serialize_entry("p", p)?;
                map.serialize_entry("s", s)?;
            }
            Event::Verify(VerifyEvent { a, s, e }) => {
                map.serialize_entry("a", a)?;
                map.serialize_entry("s", s)?;
                map.serialize_entry("e", e)?;
            }
        }
        if let Some(out) = self.out {
            map.serialize_entry("out", out)?;
        }
        map.end()
    }
}

/// Writes claims as an array, one a line.
///
/// # Errors
/// Those of the writer.
pub fn write_claims(writer: impl Write, claims: &[MixedClaim]) -> io::Result<()> {
    write_list(writer, claims.iter().map(|Claim { event, out }| Line { event, out: Some(out) }))
}

/// Writes events without results as an array, one a line.
///
/// # Errors
/// Those of the writer.
pub fn write_events(writer: impl Write, events: &[Event]) -> io::Result<()> {
    write_list(writer, events.iter().map(|event| Line { event, out: None }))
}

/// Writes an array, one item a line, and a final line break.
pub(super) fn write_list<T: Serialize>(
    mut writer: impl Write,
    items: impl Iterator<Item = T>,
) -> io::Result<()> {
    let mut separator = "[\n";
    let mut end = "[]\n";
    for item in items {
        writer.write_all(separator.as_bytes())?;
        serde_json::to_writer(&mut writer, &item)?;
        (separator, end) = (",\n", "\n]\n");
    }
    writer.write_all(end.as_bytes())
}
