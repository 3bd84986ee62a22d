//! The worker's side of the protocol's lines: flat JSON objects of strings, whole numbers and booleans.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

const MAX_FIELDS: usize = 16;

enum Content {
    Text(Vec<u8>),
    /// 1 or 0 for a boolean.
    Number(u64),
}

/// One request.
#[derive(Default)]
pub struct Message {
    fields: Vec<(Vec<u8>, Content)>,
}

impl Message {
    /// The request in a line; None if it is none.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let mut message = Self::default();
        let mut at = Cursor { rest: line };
        at.expect(b'{')?;
        if !at.skip(b'}') {
            loop {
                if message.fields.len() == MAX_FIELDS {
                    return None;
                }
                message.fields.push(at.field()?);
                if at.skip(b'}') {
                    break;
                }
                at.expect(b',')?;
            }
        }
        at.peek().is_none().then_some(message)
    }

    /// The text of a field; empty when there is no such text.
    pub fn text(&self, name: &str) -> &[u8] {
        let found = self.fields.iter().find_map(|(field, content)| match content {
            Content::Text(text) if field == name.as_bytes() => Some(text.as_slice()),
            _ => None,
        });
        found.unwrap_or_default()
    }

    /// The same, as the path of a file.
    pub fn path(&self, name: &str) -> &Path {
        Path::new(OsStr::from_bytes(self.text(name)))
    }

    /// The number or boolean of a field, or `otherwise` when there is none.
    pub fn number(&self, name: &str, otherwise: u64) -> u64 {
        let found = self.fields.iter().find_map(|(field, content)| match content {
            Content::Number(number) if field == name.as_bytes() => Some(*number),
            _ => None,
        });
        found.unwrap_or(otherwise)
    }
}

struct Cursor<'a> {
    rest: &'a [u8],
}

impl Cursor<'_> {
    /// The next byte that is no white space; None at the end.
    fn peek(&mut self) -> Option<u8> {
        while let [b' ' | b'\t' | b'\r' | b'\n', rest @ ..] = self.rest {
            self.rest = rest;
        }
        self.rest.first().copied()
    }

    fn skip(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        if found {
            self.rest = &self.rest[1..];
        }
        found
    }

    fn expect(&mut self, byte: u8) -> Option<()> {
        self.skip(byte).then_some(())
    }

    fn word(&mut self, wanted: &[u8]) -> bool {
        let rest = self.rest.strip_prefix(wanted);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn next(&mut self) -> Option<u8> {
        let (&byte, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(byte)
    }

    /// Undoes the escapes that stand for one byte each; the orchestrator sends UTF-8 and needs no others.
    fn string(&mut self) -> Option<Vec<u8>> {
        self.expect(b'"')?;
        let mut text = Vec::new();
        loop {
            text.push(match self.next()? {
                b'"' => return Some(text),
                0 => return None,
                b'\\' => match self.next()? {
                    same @ (b'"' | b'\\' | b'/') => same,
                    b'b' => 8,
                    b'f' => 12,
                    b'n' => b'\n',
                    b'r' => b'\r',
                    b't' => b'\t',
                    _ => return None,
                },
                byte => byte,
            });
        }
    }

    fn digits(&mut self) -> Option<u64> {
        let length = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(length);
        self.rest = rest;
        str::from_utf8(digits).ok()?.parse().ok()
    }

    fn field(&mut self) -> Option<(Vec<u8>, Content)> {
        let name = self.string()?;
        self.expect(b':')?;
        let content = if self.peek()? == b'"' {
            Content::Text(self.string()?)
        } else if self.word(b"true") {
            Content::Number(1)
        } else if self.word(b"false") {
            Content::Number(0)
        } else {
            Content::Number(self.digits()?)
        };
        Some((name, content))
    }
}

/// `text` as a JSON string with its quotes.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for each in text.chars() {
        match each {
            '"' | '\\' => out.extend(['\\', each]),
            '\0'..' ' | '\x7f' => out.push_str(&format!("\\u{:04x}", u32::from(each))),
            _ => out.push(each),
        }
    }
    out.push('"');
    out
}
