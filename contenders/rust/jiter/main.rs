use jiter::{Jiter, JsonValue, NumberAny, NumberInt, Peek};
use num_bigint::BigInt;
use serbench::{Contender, Hash, Path, Result, Step};

/// An integer beyond i64.
fn big(x: &BigInt, hash: &mut Hash) -> Result {
    hash.unsigned(x.try_into()?);
    Ok(())
}

fn walk(value: &JsonValue<'_>, hash: &mut Hash) -> Result {
    match value {
        JsonValue::Null => hash.nil(),
        JsonValue::Bool(x) => hash.boolean(*x),
        JsonValue::Int(x) => hash.signed(*x),
        JsonValue::BigInt(x) => big(x, hash)?,
        JsonValue::Float(x) => hash.double(*x),
        JsonValue::Str(x) => hash.string(x),
        JsonValue::Array(items) => {
            for item in items.iter() {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        JsonValue::Object(members) => {
            for (key, member) in members.iter() {
                hash.string(key);
                walk(member, hash)?;
            }
            hash.count(members.len());
        }
    }
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&JsonValue::parse(data, false)?, hash)
}

fn element(jiter: &mut Jiter<'_>, peek: Peek, hash: &mut Hash) -> Result {
    match peek {
        Peek::Null => {
            jiter.known_null()?;
            hash.nil();
        }
        Peek::True | Peek::False => hash.boolean(jiter.known_bool(peek)?),
        Peek::String => hash.string(jiter.known_str()?),
        Peek::Array => {
            let mut count = 0;
            let mut next = jiter.known_array()?;
            while let Some(peek) = next {
                element(jiter, peek, hash)?;
                count += 1;
                next = jiter.array_step()?;
            }
            hash.count(count);
        }
        Peek::Object => {
            let mut count = 0;
            let mut next = jiter.known_object()?;
            while let Some(key) = next {
                hash.string(key);
                let peek = jiter.peek()?;
                element(jiter, peek, hash)?;
                count += 1;
                next = jiter.next_key()?;
            }
            hash.count(count);
        }
        _ => match jiter.known_number(peek)? {
            NumberAny::Int(NumberInt::Int(x)) => hash.signed(x),
            NumberAny::Int(NumberInt::BigInt(x)) => big(&x, hash)?,
            NumberAny::Float(x) => hash.double(x),
        },
    }
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut jiter = Jiter::new(data);
    let peek = jiter.peek()?;
    element(&mut jiter, peek, hash)?;
    Ok(jiter.finish()?)
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let root = JsonValue::parse(data, false)?;
    for path in paths {
        let found = path.follow(&root, |value, step| match (value, step) {
            (JsonValue::Array(items), Step::Index(index)) => items.get(index),
            (JsonValue::Object(members), Step::Key(key)) => {
                members.iter().find(|(each, _)| each == key).map(|(_, member)| member)
            }
            _ => None,
        })?;
        match found {
            JsonValue::Array(_) | JsonValue::Object(_) => return Err(path.missing()),
            scalar => walk(scalar, hash)?,
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender {
        tree: Some(tree),
        incremental: Some(incremental),
        lookup: Some(lookup),
        ..Contender::NONE
    })
}
