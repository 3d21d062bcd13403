//! Points, scalars and the fields of objects.

use super::error::{Fault, Reason};
use super::json::Json;
use crate::curve::p3_field::PrimeField32;
use crate::curve::{AffinePoint, DEGREE, KoalaBear, Point, PointError, Scalar256};

/// The longest field name shown in a message.
const MAX_SHOWN: usize = 40;

/// A text from a file as it is shown in a message: one line, printable, not long.
pub(super) fn shown(text: &str) -> String {
    let short: String = text.chars().take(MAX_SHOWN).collect();
    let rest = if short.len() < text.len() { "…" } else { "" };
    format!("\"{}{rest}\"", short.escape_debug())
}

/// A field's name as it is shown in a path: plain where it is a plain word.
fn shown_name(name: &str) -> String {
    let plain = (1..=MAX_SHOWN).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
    if plain { name.to_owned() } else { shown(name) }
}

/// What is wrong with a value of another kind.
pub(super) fn kind(expected: &'static str, value: &Json<'_>) -> Reason {
    Reason::Kind { expected, found: value.kind() }
}

/// The fields of an object, taken one by one.
#[derive(Debug)]
pub(super) struct Fields<'a> {
    /// Path of the object with a final dot, empty for an item.
    path: String,
    fields: Vec<(String, Json<'a>)>,
}

impl<'a> Fields<'a> {
    /// The fields of an item or document.
    pub(super) fn of_item(value: Json<'a>) -> Result<Self, Fault> {
        match value {
            Json::Object(fields) => Ok(Self { path: String::new(), fields }),
            other => Err(Fault::new("json", kind("an object", &other))),
        }
    }

    /// A fault of the field `name`.
    fn fault(&self, name: &str, reason: Reason) -> Fault {
        Fault::new(format!("{}{}", self.path, shown_name(name)), reason)
    }

    /// Checks that no field occurs twice.
    pub(super) fn check_duplicates(&self, among: impl Fn(&str) -> bool) -> Result<(), Fault> {
        for (i, (name, _)) in self.fields.iter().enumerate() {
            if among(name) && self.fields[..i].iter().any(|(earlier, _)| earlier == name) {
                return Err(self.fault(name, Reason::Duplicate));
            }
        }
        Ok(())
    }

    /// Checks that every field is one of `known`; `expected` says so in words.
    pub(super) fn check_known(&self, known: &[&str], expected: &'static str) -> Result<(), Fault> {
        match self.fields.iter().find(|(name, _)| !known.contains(&name.as_str())) {
            Some((name, _)) => Err(self.fault(name, Reason::Unknown { expected })),
            None => Ok(()),
        }
    }

    /// The field's value, if it is there.
    pub(super) fn take(&mut self, name: &str) -> Option<Json<'a>> {
        let i = self.fields.iter().position(|(known, _)| known == name)?;
        Some(self.fields.swap_remove(i).1)
    }

    /// The field's value.
    pub(super) fn require(&mut self, name: &str) -> Result<Json<'a>, Fault> {
        self.take(name).ok_or_else(|| self.fault(name, Reason::Missing))
    }

    /// The field's value as a point.
    pub(super) fn point(&mut self, name: &str) -> Result<Point, Fault> {
        point(name, self.require(name)?)
    }

    /// The field's value as a point other than the identity.
    pub(super) fn affine_point(&mut self, name: &str) -> Result<AffinePoint, Fault> {
        self.point(name)?.to_affine().ok_or_else(|| self.fault(name, Reason::Identity))
    }

    /// The field's value as a scalar.
    pub(super) fn scalar(&mut self, name: &str) -> Result<Scalar256, Fault> {
        scalar(name, &self.require(name)?)
    }
}

/// A point or `null`.
pub(super) fn point(field: &str, value: Json<'_>) -> Result<Point, Fault> {
    let fields = match value {
        Json::Null => return Ok(Point::Identity),
        Json::Object(fields) => fields,
        other => return Err(Fault::new(field, kind("an object with x and y, or null", &other))),
    };
    let mut fields = Fields { path: format!("{field}."), fields };
    fields.check_duplicates(|_| true)?;
    fields.check_known(&["x", "y"], "x and y")?;
    let (x, y) = (coordinate(&mut fields, "x")?, coordinate(&mut fields, "y")?);
    AffinePoint::from_canonical(x, y).map(Point::Affine).map_err(|error| match error {
        // Coefficients were checked one by one; this names them in any case.
        PointError::Limb { coordinate, index, value } => {
            Fault::new(format!("{field}.{coordinate}[{index}]"), Reason::Limb { value: value.into() })
        }
        _ if (x, y) == Default::default() => Fault::new(field, Reason::AllZero),
        _ => Fault::new(field, Reason::NotOnCurve),
    })
}

/// Seven canonical coefficients.
fn coordinate(fields: &mut Fields<'_>, name: &str) -> Result<[u32; DEGREE], Fault> {
    let list = match fields.require(name)? {
        Json::List(list) => list,
        other => return Err(fields.fault(name, kind("a list of numbers", &other))),
    };
    let mut limbs = [0; DEGREE];
    if list.len() != DEGREE {
        return Err(fields.fault(name, Reason::Length { expected: DEGREE, found: list.len() }));
    }
    for (index, (limb, value)) in limbs.iter_mut().zip(&list).enumerate() {
        let reason = match *value {
            Json::Unsigned(value) => match u32::try_from(value) {
                Ok(value) if value < KoalaBear::ORDER_U32 => {
                    *limb = value;
                    continue;
                }
                _ => Reason::Limb { value },
            },
            _ => kind("an integer", value),
        };
        return Err(Fault::new(format!("{}{name}[{index}]", fields.path), reason));
    }
    Ok(limbs)
}

/// A scalar as a hexadecimal text.
pub(super) fn scalar(field: &str, value: &Json<'_>) -> Result<Scalar256, Fault> {
    match value {
        Json::Text(text) => Scalar256::from_hex(text).map_err(|e| Fault::new(field, e.into())),
        other => Err(Fault::new(field, kind("a text \"0x…\"", other))),
    }
}
