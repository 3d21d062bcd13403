//! What the cells of a row mean.

use super::ladder;
use super::points::{element, integer};
use super::trace::EventTrace;
use super::view::{Decoded, PointView, RowView};
use super::violations::canonical;
use crate::Event;
use crate::chips::columns::Field;
use crate::curve::{DEGREE, KoalaBear};

/// A number with its name and meaning.
pub(super) fn number(name: impl Into<String>, value: impl Into<String>, means: impl Into<String>) -> Decoded {
    Decoded { name: name.into(), value: value.into(), means: means.into() }
}

/// The event's scalars.
pub(super) fn event_scalars(event: &Event) -> Vec<Decoded> {
    match event {
        Event::Add(_) | Event::Double(_) => Vec::new(),
        Event::ScalarMul(event) => vec![number("s", event.s.to_hex(), "")],
        Event::Verify(event) => vec![number("s", event.s.to_hex(), ""), number("e", event.e.to_hex(), "")],
    }
}

/// A row with everything it holds.
pub(super) fn row(trace: &EventTrace, row: usize) -> RowView {
    let cells = trace.row(row);
    let (kind, points, numbers) = if trace.shape.period > 1 {
        ladder::row(trace, row)
    } else {
        let kind = if row == 0 { "event" } else { "padding, as all rows after it" };
        let empty = cells.iter().all(|&cell| cell == KoalaBear::default());
        let (points, numbers) =
            if empty { Default::default() } else { (pairs(trace, cells), numbers(trace, cells)) };
        (kind.to_owned(), points, numbers)
    };
    RowView {
        row,
        kind,
        flags: (trace.shape.flags)(row).into_iter().map(canonical).collect(),
        cells: cells.iter().copied().map(canonical).collect(),
        points,
        numbers,
    }
}

/// The points whose coordinates are the fields x_… and y_….
fn pairs(trace: &EventTrace, cells: &[KoalaBear]) -> Vec<PointView> {
    let mut points = Vec::new();
    for x in trace.shape.fields {
        let Some(suffix) = x.name.strip_prefix("x_") else { continue };
        let Some(y) = trace.shape.field(&format!("y_{suffix}")).filter(|y| y.width == x.width) else {
            continue;
        };
        let count = x.width / DEGREE;
        for i in 0..count {
            // Several: the generator's entries.
            let name = if count > 1 { format!("entry {i}") } else { suffix.to_uppercase() };
            let at = |field: &Field| element(&cells[field.offset + DEGREE * i..]);
            points.push(trace.names.coordinates(name, at(x), at(y), true));
        }
    }
    points
}

/// Flags of ADD and DOUBLE; scalars and digits of the half-size tables.
fn numbers(trace: &EventTrace, cells: &[KoalaBear]) -> Vec<Decoded> {
    let mut numbers = Vec::new();
    let field = |name: &str| trace.shape.field(name).map(|field| &cells[field.offset..][..field.width]);
    let one = |name: &str| field(name).map(|cells| canonical(cells[0]));
    for (name, means) in [("p_identity", "P = 𝒪"), ("q_identity", "Q = 𝒪")] {
        if one(name) == Some(1) {
            numbers.push(number(name, "1", means));
        }
    }
    match one("opposite") {
        Some(0) | None => {}
        Some(1) => numbers.push(number("opposite", "1", "P = −Q is finite")),
        Some(_) => numbers.push(number("opposite", "−1", "P = Q = 𝒪")),
    }
    for (name, means) in [("s", "as shown, below r"), ("e", "as shown, below r")] {
        if let Some(digits) = field(name).filter(|cells| cells.len() > 1) {
            numbers.push(number(name, hex_of_bytes(digits), means));
        }
    }
    if let Some(j) = one("offset") {
        numbers.push(number("offset", j.to_string(), format!("sums start at B_{j}")));
    }
    if let (Some(sign), Some(swap)) = (field("sign"), field("swap")) {
        let relations = if field("e").is_some() {
            ["u·e + w = q·r", "u·D + w·A = 𝒪"]
        } else {
            ["u·s + w = q·r", "u·R + w·P = 𝒪"]
        };
        numbers.extend(half_scalars(sign, swap, relations));
    }
    numbers
}

/// Σ digit_j·256^j, for digits that may be larger than a byte.
fn hex_of_bytes(digits: &[KoalaBear]) -> String {
    let mut bytes = Vec::new();
    let mut carry = 0;
    for &digit in digits {
        carry += integer(digit);
        bytes.push(carry % 256);
        carry /= 256;
    }
    while carry > 0 {
        bytes.push(carry % 256);
        carry /= 256;
    }
    let text: String = bytes.iter().rev().map(|byte| format!("{byte:02x}")).collect();
    let short = text.trim_start_matches('0');
    format!("0x{}", if short.is_empty() { "0" } else { short })
}

/// u and w of a chain, if its digits are bits: u = 1 + Σ sign_i·2^(108 − i), and w + 2^109 − 1 has the bits W_0 = 1 − swap_0,
/// W_i = sign_{i−1} xor swap_i.
fn half_scalars(sign: &[KoalaBear], swap: &[KoalaBear], [on_u, on_w]: [&str; 2]) -> Vec<Decoded> {
    let bit = |cell: KoalaBear| canonical(cell) == 1;
    if sign.iter().chain(swap).any(|&cell| canonical(cell) > 1) || sign.len() + 1 != swap.len() {
        return Vec::new();
    }
    let value =
        |bits: &mut dyn Iterator<Item = bool>| bits.fold(0_i128, |value, bit| 2 * value + i128::from(bit));
    let u = value(&mut sign.iter().map(|&cell| bit(cell))) + 1;
    let first = std::iter::once(!bit(swap[0]));
    let rest = sign.iter().zip(&swap[1..]).map(|(&sign, &swap)| bit(sign) != bit(swap));
    let w = value(&mut first.chain(rest)) - ((1 << sign.len()) - 1);
    let signed = |w: i128| if w < 0 { format!("−0x{:x}", -w) } else { format!("0x{w:x}") };
    vec![number("u", signed(u), on_u), number("w", signed(w), on_w)]
}
