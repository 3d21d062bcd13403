//! JSON values that keep what `serde_json::Value` loses: repeated fields, and integers apart from other numbers.

use core::fmt;
use std::borrow::Cow;
use std::io::{self, BufRead, Cursor, Read};

use serde::de::{
    Deserialize, DeserializeSeed, Deserializer as _, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor,
};
use serde_json::error::Category;
use serde_json::{Deserializer, Error};

use super::error::{Fault, FileError, Item, Reason};

/// Values of a list, and fields of an object, that an item may have: more than any format uses.
const MAX_MEMBERS: usize = 64;

/// Blanks before the first value that are read.
const MAX_BLANKS: usize = 1 << 16;

/// The field that readers ignore. Its value is not kept.
const IGNORED: &str = "case";

/// A JSON value. Fields are in the order of the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Json<'a> {
    Null,
    Bool(bool),
    Unsigned(u64),
    Negative(i64),
    Float(f64),
    Text(Cow<'a, str>),
    List(Vec<Json<'a>>),
    Object(Vec<(String, Json<'a>)>),
}

impl Json<'_> {
    /// The value's kind, for messages. Texts are not shown: they may be secret or long.
    pub(super) fn kind(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(value) => value.to_string(),
            Self::Unsigned(value) => value.to_string(),
            Self::Negative(value) => value.to_string(),
            Self::Float(value) => format!("{value:?}"),
            Self::Text(_) => "a text".into(),
            Self::List(_) => "a list".into(),
            Self::Object(_) => "an object".into(),
        }
    }
}

impl<'de> Deserialize<'de> for Json<'de> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Json<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E>(self) -> Result<Json<'de>, E> {
                Ok(Json::Null)
            }

            fn visit_bool<E>(self, value: bool) -> Result<Json<'de>, E> {
                Ok(Json::Bool(value))
            }

            fn visit_u64<E>(self, value: u64) -> Result<Json<'de>, E> {
                Ok(Json::Unsigned(value))
            }

            fn visit_i64<E>(self, value: i64) -> Result<Json<'de>, E> {
                Ok(u64::try_from(value).map_or(Json::Negative(value), Json::Unsigned))
            }

            fn visit_f64<E>(self, value: f64) -> Result<Json<'de>, E> {
                Ok(Json::Float(value))
            }

            fn visit_str<E>(self, value: &str) -> Result<Json<'de>, E> {
                Ok(Json::Text(Cow::Owned(value.to_owned())))
            }

            fn visit_string<E>(self, value: String) -> Result<Json<'de>, E> {
                Ok(Json::Text(Cow::Owned(value)))
            }

            fn visit_borrowed_str<E>(self, value: &'de str) -> Result<Json<'de>, E> {
                Ok(Json::Text(Cow::Borrowed(value)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Json<'de>, A::Error> {
                let mut values = Vec::new();
                while let Some(value) = list.next_element()? {
                    if values.len() == MAX_MEMBERS {
                        return Err(A::Error::custom(format!("a list of more than {MAX_MEMBERS} values")));
                    }
                    values.push(value);
                }
                Ok(Json::List(values))
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json<'de>, A::Error> {
                let mut fields = Vec::new();
                while let Some(name) = map.next_key::<String>()? {
                    if fields.len() == MAX_MEMBERS {
                        return Err(A::Error::custom(format!("an object of more than {MAX_MEMBERS} fields")));
                    }
                    let value = if name == IGNORED {
                        map.next_value::<IgnoredAny>()?;
                        Json::Null
                    } else {
                        map.next_value()?
                    };
                    fields.push((name, value));
                }
                Ok(Json::Object(fields))
            }
        }

        deserializer.deserialize_any(Any)
    }
}

/// A parser's error about a file.
fn parser_error(file: &str, item: Option<(Item, usize)>, error: Error) -> FileError {
    if error.classify() == Category::Io {
        return FileError::Io { file: file.to_owned(), source: error.into() };
    }
    let fault = Fault::new("json", Reason::Syntax { message: error.to_string() });
    match item {
        Some((item, index)) => fault.at(file, item, index),
        None => fault.of(file),
    }
}

/// The items of a list, given one by one to a function that may refuse them.
struct Items<'a, F> {
    /// Index of the item that comes next.
    index: usize,
    /// Whether the items have begun and not ended.
    inside: bool,
    each: &'a mut F,
    /// Why an item was refused.
    refused: Option<Fault>,
}

impl<'a, F: FnMut(Json<'_>) -> Result<(), Fault>> Items<'a, F> {
    fn new(each: &'a mut F) -> Self {
        Self { index: 0, inside: false, each, refused: None }
    }

    fn take(&mut self, value: Json<'_>) -> bool {
        match (self.each)(value) {
            Ok(()) => self.index += 1,
            Err(fault) => self.refused = Some(fault),
        }
        self.refused.is_none()
    }

    /// The error that stopped the parser.
    fn error(self, file: &str, item: Item, error: Error) -> FileError {
        match self.refused {
            Some(fault) => fault.at(file, item, self.index),
            None => parser_error(file, self.inside.then_some((item, self.index)), error),
        }
    }
}

impl<'de, F: FnMut(Json<'_>) -> Result<(), Fault>> Visitor<'de> for &mut Items<'_, F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<(), A::Error> {
        self.inside = true;
        while let Some(value) = list.next_element::<Json<'de>>()? {
            if !self.take(value) {
                return Err(A::Error::custom("refused"));
            }
        }
        self.inside = false;
        Ok(())
    }
}

impl<'de, F: FnMut(Json<'_>) -> Result<(), Fault>> DeserializeSeed<'de> for &mut Items<'_, F> {
    type Value = ();

    fn deserialize<D: serde::Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

/// Reads a list that is an array, or one value a line, or an empty file.
pub(super) fn read_list(
    file: &str,
    item: Item,
    mut reader: impl BufRead,
    mut each: impl FnMut(Json<'_>) -> Result<(), Fault>,
) -> Result<(), FileError> {
    let io = |source| FileError::Io { file: file.to_owned(), source };
    let (start, first) = skip_whitespace(&mut reader).map_err(io)?;
    let mut items = Items::new(&mut each);
    let mut parser = Deserializer::from_reader(Cursor::new(start).chain(reader));
    match first {
        None => Ok(()),
        Some(b'[') => match parser.deserialize_seq(&mut items) {
            Ok(()) => parser.end().map_err(|e| parser_error(file, None, e)),
            Err(error) => Err(items.error(file, item, error)),
        },
        Some(_) => {
            items.inside = true;
            for value in parser.into_iter::<Json<'_>>() {
                let taken = match value {
                    Ok(value) => items.take(value),
                    Err(error) => return Err(items.error(file, item, error)),
                };
                if !taken {
                    break;
                }
            }
            match items.refused {
                Some(fault) => Err(fault.at(file, item, items.index)),
                None => Ok(()),
            }
        }
    }
}

/// Reads a list by `read`, which gives its items to a function that stops at the first fault. `each` may stop it with
/// an error of its own.
pub(super) fn stoppable<T, E: From<FileError>>(
    read: impl FnOnce(&mut dyn FnMut(Json<'_>) -> Result<(), Fault>) -> Result<(), FileError>,
    parse: impl Fn(Json<'_>) -> Result<T, Fault>,
    mut each: impl FnMut(T) -> Result<(), E>,
) -> Result<(), E> {
    let mut stopped = None;
    let read = read(&mut |value| {
        let item = parse(value)?;
        each(item).map_err(|error| {
            stopped = Some(error);
            // Never shown.
            Fault::new("item", Reason::Missing)
        })
    });
    match stopped {
        Some(error) => Err(error),
        None => Ok(read?),
    }
}

/// Reads a document that is an object with a list in one field. Its other fields are ignored.
pub(super) fn read_list_field(
    file: &str,
    field: &'static str,
    item: Item,
    reader: impl BufRead,
    mut each: impl FnMut(Json<'_>) -> Result<(), Fault>,
) -> Result<(), FileError> {
    struct Document<'a, 'b, F> {
        field: &'static str,
        items: &'b mut Items<'a, F>,
        found: &'b mut usize,
    }

    impl<'de, F: FnMut(Json<'_>) -> Result<(), Fault>> Visitor<'de> for Document<'_, '_, F> {
        type Value = ();

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write!(f, "an object with a list {:?}", self.field)
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<(), A::Error> {
            while let Some(name) = map.next_key::<String>()? {
                if name != self.field {
                    map.next_value::<IgnoredAny>()?;
                    continue;
                }
                *self.found += 1;
                if *self.found > 1 {
                    return Err(A::Error::custom("given more than once"));
                }
                map.next_value_seed(&mut *self.items)?;
            }
            Ok(())
        }
    }

    let mut items = Items::new(&mut each);
    let mut found = 0;
    let mut parser = Deserializer::from_reader(reader);
    let document = Document { field, items: &mut items, found: &mut found };
    let result = parser.deserialize_map(document).and_then(|()| parser.end());
    match (result, found) {
        (_, 2..) => Err(Fault::new(field, Reason::Duplicate).of(file)),
        (Err(error), _) => Err(items.error(file, item, error)),
        (Ok(()), 0) => Err(Fault::new(field, Reason::Missing).of(file)),
        (Ok(()), _) => Ok(()),
    }
}

/// Reads a document that is one value, from memory.
pub(super) fn parse_document<'a>(file: &str, text: &'a [u8]) -> Result<Json<'a>, FileError> {
    serde_json::from_slice(text).map_err(|e| parser_error(file, None, e))
}

/// Reads up to the first byte that is not white space. Returns what was read, and that byte.
///
/// What was read goes to the parser again, so that its line numbers are right; hence the bound.
fn skip_whitespace(reader: &mut impl BufRead) -> io::Result<(Vec<u8>, Option<u8>)> {
    let mut read = Vec::new();
    loop {
        let byte = match reader.fill_buf() {
            Ok([]) => return Ok((read, None)),
            Ok([byte, ..]) => *byte,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        reader.consume(1);
        read.push(byte);
        if !matches!(byte, b' ' | b'\t' | b'\r' | b'\n') {
            return Ok((read, Some(byte)));
        }
        if read.len() > MAX_BLANKS {
            let message = format!("more than {MAX_BLANKS} blanks before the first value");
            return Err(io::Error::new(io::ErrorKind::InvalidData, message));
        }
    }
}
