//! Files of events and claims.

use std::io::{self, BufRead, Write};

use serde::ser::{Serialize, SerializeMap, Serializer};

use super::error::{Fault, FileError, Item, Reason};
use super::json::{Json, read_list, stoppable};
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
        claims.push(claim(value)?);
        Ok(())
    })?;
    Ok(claims)
}

/// Reads events one by one, in constant memory, and gives each to a function that may stop.
///
/// # Errors
/// The first thing that is wrong with the file, or what the function stopped with.
pub fn for_each_event<E: From<FileError>>(
    file: &str,
    reader: impl BufRead,
    each: impl FnMut(StatedEvent) -> Result<(), E>,
) -> Result<(), E> {
    stoppable(|items| read_list(file, Item::Event, reader, items), stated_event, each)
}

/// Reads claims one by one, in constant memory, and gives each to a function that may stop.
///
/// # Errors
/// The first thing that is wrong with the file, or what the function stopped with.
pub fn for_each_claim<E: From<FileError>>(
    file: &str,
    reader: impl BufRead,
    each: impl FnMut(MixedClaim) -> Result<(), E>,
) -> Result<(), E> {
    stoppable(|items| read_list(file, Item::Event, reader, items), claim, each)
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

fn claim(value: Json<'_>) -> Result<MixedClaim, Fault> {
    let StatedEvent { event, out } = stated_event(value)?;
    let out = out.ok_or_else(|| Fault::new("out", Reason::Missing))?;
    Ok(Claim { event, out })
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

/// Writes claims one by one, in the form of [`write_claims`].
#[derive(Debug)]
pub struct ClaimsWriter<W>(ListWriter<W>);

impl<W: Write> ClaimsWriter<W> {
    /// A list without claims.
    pub const fn new(writer: W) -> Self {
        Self(ListWriter { writer, begun: false })
    }

    /// Adds claims.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn extend(&mut self, claims: &[MixedClaim]) -> io::Result<()> {
        claims.iter().try_for_each(|Claim { event, out }| self.0.push(&Line { event, out: Some(out) }))
    }

    /// Ends the list.
    ///
    /// # Errors
    /// Those of the writer.
    pub fn finish(self) -> io::Result<W> {
        self.0.finish()
    }
}

/// An array that is written item by item, one a line.
#[derive(Debug)]
struct ListWriter<W> {
    writer: W,
    begun: bool,
}

impl<W: Write> ListWriter<W> {
    fn push(&mut self, item: &impl Serialize) -> io::Result<()> {
        let separator: &[u8] = if self.begun { b",\n" } else { b"[\n" };
        self.begun = true;
        self.writer.write_all(separator)?;
        Ok(serde_json::to_writer(&mut self.writer, item)?)
    }

    fn finish(mut self) -> io::Result<W> {
        let end: &[u8] = if self.begun { b"\n]\n" } else { b"[]\n" };
        self.writer.write_all(end)?;
        Ok(self.writer)
    }
}

/// Writes an array, one item a line, and a final line break.
pub(super) fn write_list<T: Serialize>(writer: impl Write, items: impl Iterator<Item = T>) -> io::Result<()> {
    let mut list = ListWriter { writer, begun: false };
    for item in items {
        list.push(&item)?;
    }
    list.finish().map(drop)
}
