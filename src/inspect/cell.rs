//! Cells by name: `COLUMN[@ROW]=VALUE`.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::chips::columns::Field;
use crate::curve::KoalaBear;
use crate::curve::p3_field::PrimeField32;

/// A new value for a cell.
///
/// Its text is `COLUMN[@ROW]=VALUE`. COLUMN is the name of a field, with an index if the field has several columns: `lambda[2]`.
/// ROW is 0 if it is not given. VALUE is decimal or `0x…`, and below p.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct NewCell {
    /// Name of the field.
    pub field: String,
    /// Place in the field.
    pub index: Option<usize>,
    /// The row.
    pub row: usize,
    /// The canonical value.
    pub value: u32,
}

/// Why a cell cannot be changed.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CellError {
    /// The text has another form.
    #[error("expected COLUMN[@ROW]=VALUE, such as lambda[2]@17=5")]
    Form,
    /// Something is not a number.
    #[error("{what}: expected a number, found {found:?}")]
    Number {
        /// Which part of the text: `index`, `row` or `value`.
        what: &'static str,
        /// What there is.
        found: String,
    },
    /// The value is not canonical.
    #[error("value: {value} is not below p = {}", KoalaBear::ORDER_U32)]
    Value {
        /// The value.
        value: u64,
    },
    /// There is no such column.
    #[error("no column {name}: expected one of {known}")]
    Unknown {
        /// The name.
        name: String,
        /// Names of all fields.
        known: String,
    },
    /// The field has several columns, and the index is missing or too large.
    #[error("{name} has {width} columns: expected {name}[0] to {name}[{}]", width - 1)]
    Index {
        /// Name of the field.
        name: String,
        /// Its width.
        width: usize,
    },
    /// The field has one column, and there is an index.
    #[error("{name} is one column: it has no index")]
    NoIndex {
        /// Name of the field.
        name: String,
    },
    /// There is no such row.
    #[error("row {row} is not below {rows}")]
    Row {
        /// The row.
        row: usize,
        /// How many rows there are.
        rows: usize,
    },
}

fn number(what: &'static str, text: &str) -> Result<u64, CellError> {
    let (digits, radix) = text.strip_prefix("0x").map_or((text, 10), |digits| (digits, 16));
    let plain = digits.bytes().all(|b| b.is_ascii_alphanumeric());
    let value = plain.then(|| u64::from_str_radix(digits, radix).ok()).flatten();
    value.ok_or_else(|| CellError::Number { what, found: text.to_owned() })
}

impl FromStr for NewCell {
    type Err = CellError;

    fn from_str(text: &str) -> Result<Self, CellError> {
        let place = |text| {
            let number = number("row", text)?;
            usize::try_from(number).map_err(|_| CellError::Number { what: "row", found: text.to_owned() })
        };
        let (cell, value) = text.split_once('=').ok_or(CellError::Form)?;
        let (column, row) = match cell.split_once('@') {
            Some((column, row)) => (column, place(row)?),
            None => (cell, 0),
        };
        let (field, index) = match column.split_once('[') {
            Some((field, rest)) => {
                let index = rest.strip_suffix(']').ok_or(CellError::Form)?;
                let wrong = || CellError::Number { what: "index", found: index.to_owned() };
                (field, Some(number("index", index)?.try_into().map_err(|_| wrong())?))
            }
            None => (column, None),
        };
        if field.is_empty() {
            return Err(CellError::Form);
        }
        let value = number("value", value)?;
        let canonical = u32::try_from(value).ok().filter(|&value| value < KoalaBear::ORDER_U32);
        Ok(Self { field: field.to_owned(), index, row, value: canonical.ok_or(CellError::Value { value })? })
    }
}

impl fmt::Display for NewCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.field)?;
        if let Some(index) = self.index {
            write!(f, "[{index}]")?;
        }
        write!(f, "@{}={}", self.row, self.value)
    }
}

impl NewCell {
    /// The column, among `fields`.
    pub(super) fn column(&self, fields: &[Field]) -> Result<usize, CellError> {
        let name = || self.field.clone();
        let Some(field) = fields.iter().find(|field| field.name == self.field) else {
            let known: Vec<&str> = fields.iter().map(|field| field.name).collect();
            return Err(CellError::Unknown { name: name(), known: known.join(", ") });
        };
        match (field.width, self.index) {
            (1, None) => Ok(field.offset),
            (1, Some(_)) => Err(CellError::NoIndex { name: name() }),
            (width, Some(index)) if index < width => Ok(field.offset + index),
            (width, _) => Err(CellError::Index { name: name(), width }),
        }
    }
}

/// The name of a column: its field, and its place in the field if that has several.
pub(super) fn column_name(fields: &[Field], column: usize) -> String {
    match fields.iter().find(|field| (field.offset..field.offset + field.width).contains(&column)) {
        Some(field) if field.width == 1 => field.name.to_owned(),
        Some(field) => format!("{}[{}]", field.name, column - field.offset),
        None => column.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chips::columns::Role;

    #[test]
    fn texts() {
        let cell = |field: &str, index, row, value| NewCell { field: field.to_owned(), index, row, value };
        let parse = str::parse::<NewCell>;
        assert_eq!(parse("lambda[2]@17=5"), Ok(cell("lambda", Some(2), 17, 5)));
        assert_eq!(parse("lambda[2]@17=5").map(|cell| cell.to_string()).as_deref(), Ok("lambda[2]@17=5"));
        assert_eq!(parse("digit=0x7f000000"), Ok(cell("digit", None, 0, 0x7f00_0000)));
        assert_eq!(parse("digit@3=2130706433"), Err(CellError::Value { value: 2_130_706_433 }));
        assert_eq!(parse("digit=0x7f000001"), Err(CellError::Value { value: 2_130_706_433 }));
        for text in ["", "digit", "digit@3", "=5", "[1]=5", "x[1=5", "x[1]y=5"] {
            assert_eq!(parse(text), Err(CellError::Form), "{text}");
        }
        let wrong =
            |what: &'static str, found: &str| Err(CellError::Number { what, found: found.to_owned() });
        assert_eq!(parse("x[y]=5"), wrong("index", "y"));
        assert_eq!(parse("x@=5"), wrong("row", ""));
        assert_eq!(parse("x@-1=5"), wrong("row", "-1"));
        assert_eq!(parse("x=+5"), wrong("value", "+5"));
        assert_eq!(parse("x=99999999999999999999"), wrong("value", "99999999999999999999"));
    }

    #[test]
    fn columns() {
        let field = |name, offset, width| Field { name, offset, width, role: Role::State };
        let fields = [field("a", 0, 1), field("b", 1, 7)];
        let find = |text: &str| text.parse::<NewCell>().unwrap().column(&fields);
        assert_eq!((find("a=0"), find("b[6]=0")), (Ok(0), Ok(7)));
        assert_eq!(find("a[0]=0"), Err(CellError::NoIndex { name: "a".to_owned() }));
        for text in ["b=0", "b[7]=0"] {
            assert_eq!(find(text), Err(CellError::Index { name: "b".to_owned(), width: 7 }));
        }
        assert!(find("c=0").unwrap_err().to_string().ends_with("no column c: expected one of a, b"));
        assert_eq!([0, 7, 8].map(|column| column_name(&fields, column)), ["a", "b[6]", "8"]);
    }
}
