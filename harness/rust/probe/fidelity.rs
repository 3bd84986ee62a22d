//! The probe of fidelity: writes values of Rust's own types with one library by serde, reads them into the same types,
//! and says what became of them. It answers lines as a worker does (docs/adding-a-language.md).

mod base64;
#[path = "../serbench/src/message.rs"]
mod message;
mod values;

use std::fmt::{Debug, Display};
use std::io::{BufRead, Write, stdin, stdout};
use std::panic::{AssertUnwindSafe, catch_unwind};

use message::{Message, quoted};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use values::PROBES;

use crate::probe::{decode, encode};

const LONGEST: usize = 60;

/// The document: some formats have no other root than a map.
#[derive(Serialize, Deserialize)]
struct Document<T> {
    value: T,
}

/// What became of a value.
struct Fate {
    mark: &'static str,
    at: &'static str,
    found: String,
    bytes: Vec<u8>,
}

type Answer = Result<String, String>;

/// One value, and what it is called in the tables.
struct Probe {
    name: &'static str,
    /// Writes the value, or takes the given bytes, and reads them.
    run: fn(Option<Vec<u8>>) -> Fate,
}

/// A value in a few characters.
fn shortened(text: String) -> String {
    match text.char_indices().nth(LONGEST) {
        None => text,
        Some(_) => text.chars().take(LONGEST - 1).chain(['…']).collect(),
    }
}

/// What a call returns, or the mark and the words for what it says: an error is a refusal, and a panic would end a program
/// that does not expect one.
fn outcome<T, E: Display>(call: impl FnOnce() -> Result<T, E>) -> Result<T, (&'static str, String)> {
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(result) => result.map_err(|why| ("refused", why.to_string())),
        Err(payload) => {
            let text = payload.downcast_ref::<String>().map(String::as_str);
            let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or_default();
            Err(("failed", format!("it panics: {text}")))
        }
    }
}

/// Sends `value` through the library. What Debug says of a value tells all that these types have: the shortest digits of a
/// number are those of no other, -0.0 has its sign, and characters are escaped.
fn examine<T: Serialize + DeserializeOwned + Debug>(value: T, given: Option<Vec<u8>>) -> Fate {
    let fate = |mark, at, found| Fate { mark, at, found, bytes: Vec::new() };
    let document = Document { value };
    let bytes = match given {
        Some(bytes) => bytes,
        None => match outcome(|| encode(&document)) {
            Ok(bytes) => bytes,
            Err((mark, why)) => return fate(mark, "write", why),
        },
    };
    let fate = match outcome(|| decode::<Document<T>>(&bytes)) {
        Err((mark, why)) => fate(mark, "read", why),
        Ok(found) => {
            let [expected, found] = [&document.value, &found.value].map(|value| format!("{value:?}"));
            if expected == found { fate("same", "", String::new()) } else { fate("changed", "", shortened(found)) }
        }
    };
    Fate { bytes, ..fate }
}

/// Answers a request for a value.
fn value(request: &Message, given: Option<Vec<u8>>) -> Answer {
    let name = request.text("probe");
    let probe = PROBES.iter().find(|probe| probe.name.as_bytes() == name).ok_or("unknown probe")?;
    let Fate { mark, at, found, bytes } = (probe.run)(given);
    let [found, bytes] = [quoted(&found), quoted(&base64::encode(&bytes))];
    Ok(format!(",\"mark\":\"{mark}\",\"at\":\"{at}\",\"found\":{found},\"bytes\":{bytes}"))
}

fn answer(request: &Message) -> Answer {
    match request.text("do") {
        b"probes" => {
            let names: Vec<_> = PROBES.iter().map(|probe| quoted(probe.name)).collect();
            Ok(format!(",\"probes\":[{}]", names.join(",")))
        }
        b"value" => value(request, None),
        b"read" => value(request, Some(base64::decode(request.text("bytes")).ok_or("this is no base64")?)),
        // What is read into a type that the program names has what this type has, and nothing else.
        b"carried" => Ok(",\"carried\":[]".to_owned()),
        _ => Err("unknown request".to_owned()),
    }
}

/// Answers the lines on standard input until it ends.
pub fn serve() {
    std::panic::set_hook(Box::new(|_| ())); // the answer says it
    for line in stdin().lock().split(b'\n') {
        let Ok(line) = line else { break };
        let request = Message::parse(&line).unwrap_or_default();
        if request.text("do") == b"quit" {
            break;
        }
        let said = match answer(&request) {
            Ok(fields) => format!("{{\"ok\":true{fields}}}\n"),
            Err(why) => format!("{{\"ok\":false,\"error\":{}}}\n", quoted(&why)),
        };
        if stdout().write_all(said.as_bytes()).and_then(|()| stdout().flush()).is_err() {
            break;
        }
    }
}
