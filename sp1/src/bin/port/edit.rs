//! Insertions into source files, placed by the names of items and the starts of lines.
//!
//! Nothing of the edited file is kept but these anchors, and each must be found exactly once. Items are found by
//! indentation: an item begins with the line that starts with its header and ends with the next line of the same
//! indentation that starts with a closing brace. That is how rustfmt writes them.

use std::borrow::Cow;

use crate::error::PortError;

/// Where in its item a text goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Place {
    /// On the lines after the one that starts so.
    After(&'static str),
    /// On the lines after the one that starts so, one level deeper.
    Into(&'static str),
    /// On the lines before the one that starts so.
    Before(&'static str),
    /// Before the closing line of the item, or at the end of the file.
    End,
}

/// One insertion.
#[derive(Debug)]
pub(crate) struct Edit {
    /// The file, relative to the directory of the change.
    pub(crate) file: &'static str,
    /// The headers of the items around it, from the outside in; none for the whole file.
    pub(crate) within: &'static [&'static str],
    /// The place.
    pub(crate) place: Place,
    /// The lines, without the indentation of the place.
    pub(crate) text: Cow<'static, str>,
}

/// The indentation of a line, in bytes.
fn indentation(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

/// A range of lines and how deep the lines in it are indented.
struct Scope {
    lines: std::ops::Range<usize>,
    inner: usize,
}

impl Edit {
    /// The only line of `scope` that starts with `anchor`.
    fn find(&self, lines: &[&str], scope: &Scope, anchor: &str) -> Result<usize, PortError> {
        let found: Vec<usize> =
            scope.lines.clone().filter(|&i| lines[i].trim_start().starts_with(anchor)).collect();
        match found[..] {
            [line] => Ok(line),
            _ => Err(PortError::Anchor {
                file: self.file.into(),
                anchor: anchor.into(),
                scope: self.scope_name(),
                found: found.len(),
            }),
        }
    }

    /// The items as they are named in errors.
    fn scope_name(&self) -> String {
        if self.within.is_empty() { "the file".into() } else { self.within.join(" › ") }
    }

    /// The lines inside of the innermost item.
    fn scope(&self, lines: &[&str]) -> Result<Scope, PortError> {
        let mut scope = Scope { lines: 0..lines.len(), inner: 0 };
        for &header in self.within {
            let first = self.find(lines, &scope, header)?;
            let outer = indentation(lines[first]);
            let last = (first + 1..scope.lines.end)
                .find(|&i| indentation(lines[i]) == outer && lines[i].trim_start().starts_with('}'))
                .ok_or_else(|| PortError::Unclosed { file: self.file.into(), scope: self.scope_name() })?;
            scope = Scope { lines: first + 1..last, inner: outer + 4 };
        }
        Ok(scope)
    }

    /// `source` with the text in it.
    pub(crate) fn apply(&self, source: &str) -> Result<String, PortError> {
        let lines: Vec<&str> = source.lines().collect();
        let scope = self.scope(&lines)?;
        let (at, indent) = match self.place {
            Place::After(anchor) => {
                let line = self.find(&lines, &scope, anchor)?;
                (line + 1, indentation(lines[line]))
            }
            Place::Into(anchor) => {
                let line = self.find(&lines, &scope, anchor)?;
                (line + 1, indentation(lines[line]) + 4)
            }
            Place::Before(anchor) => {
                let line = self.find(&lines, &scope, anchor)?;
                (line, indentation(lines[line]))
            }
            Place::End => (scope.lines.end, scope.inner),
        };
        let mut out = String::with_capacity(source.len() + 2 * self.text.len());
        let mut push = |indent: usize, line: &str| {
            if !line.is_empty() {
                out.extend(std::iter::repeat_n(' ', indent));
                out.push_str(line);
            }
            out.push('\n');
        };
        lines[..at].iter().for_each(|line| push(0, line));
        self.text.lines().for_each(|line| push(indent, line));
        lines[at..].iter().for_each(|line| push(0, line));
        Ok(out)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SOURCE: &str = "\
enum A {
    X,
}

impl A {
    fn f(
        x: u8,
    ) -> u8 {
        match x {
            0 => 1,
            _ => 2,
        }
    }

    fn g() {}
}
";

    fn edit(within: &'static [&'static str], place: Place) -> Edit {
        Edit { file: "a.rs", within, place, text: Cow::Borrowed("new\n") }
    }

    fn lines_of(edit: &Edit) -> Vec<String> {
        edit.apply(SOURCE).unwrap().lines().map(String::from).collect()
    }

    #[test]
    fn places() {
        assert_eq!(lines_of(&edit(&["enum A"], Place::End))[2], "    new");
        assert_eq!(lines_of(&edit(&["enum A"], Place::Before("X")))[1], "    new");
        assert_eq!(lines_of(&edit(&["impl A", "fn f("], Place::Before("_ =>")))[10], "            new");
        assert_eq!(lines_of(&edit(&["impl A", "fn f("], Place::Into("match x {")))[9], "            new");
        assert_eq!(lines_of(&edit(&["impl A", "fn f("], Place::After("0 =>")))[10], "            new");
        assert_eq!(lines_of(&edit(&[], Place::End)).last().unwrap(), "new");
    }

    #[test]
    fn an_anchor_must_be_found_once() {
        for (within, anchor, times) in
            [(&["impl A"][..], "fn h", 0), (&["impl A"][..], "fn ", 2), (&[][..], "X,", 1)]
        {
            let result = edit(within, Place::After(anchor)).apply(SOURCE);
            match result {
                Ok(_) => assert_eq!(times, 1),
                Err(PortError::Anchor { file, anchor: named, found, .. }) => {
                    assert_eq!((file.as_str(), named.as_str(), found), ("a.rs", anchor, times));
                }
                Err(other) => panic!("{other}"),
            }
        }
    }

    #[test]
    fn an_item_must_end() {
        let source = "enum A {\n    X,\n";
        assert!(matches!(edit(&["enum A"], Place::End).apply(source), Err(PortError::Unclosed { .. })));
    }
}
