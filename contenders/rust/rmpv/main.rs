use rmpv::Integer;
#[cfg(not(feature = "borrowed"))]
use rmpv::{Value, decode::read_value as read, encode::write_value as put};
#[cfg(feature = "borrowed")]
use rmpv::{ValueRef as Value, decode::read_value_ref as read, encode::write_value_ref as put};
use serbench::{Contender, Hash, Output, Path, Result, Serialize, Step};

/// The library's document of a value tree.
#[allow(mismatched_lifetime_syntaxes, reason = "a Value with strings of its own has no lifetime")]
fn make<'v>(value: &'v serbench::Value<'v>) -> Value {
    match *value {
        serbench::Value::Nil => Value::Nil,
        serbench::Value::Bool(x) => Value::Boolean(x),
        serbench::Value::Negative(x) => x.into(),
        serbench::Value::Natural(x) => x.into(),
        serbench::Value::Double(x) => x.into(),
        serbench::Value::String(x) => x.into(),
        serbench::Value::Array(items) => Value::Array(items.iter().map(make).collect()),
        serbench::Value::Map(members) => {
            Value::Map(members.iter().map(|each| (each.key.into(), make(&each.value))).collect())
        }
    }
}

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    Ok(put(out, &make(root))?)
}

fn number(x: &Integer, hash: &mut Hash) {
    match (x.as_u64(), x.as_i64()) {
        (Some(x), _) => hash.unsigned(x),
        (_, x) => hash.signed(x.unwrap_or_default()), // it is in one of the two
    }
}

fn walk(value: &Value, hash: &mut Hash) -> Result {
    match value {
        Value::Nil => hash.nil(),
        Value::Boolean(x) => hash.boolean(*x),
        Value::Integer(x) => number(x, hash),
        Value::F32(x) => hash.double((*x).into()),
        Value::F64(x) => hash.double(*x),
        Value::String(x) => hash.string(x.as_str().ok_or("a string is not UTF-8")?),
        Value::Array(items) => {
            for item in items {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        Value::Map(members) => {
            for (key, member) in members {
                walk(key, hash)?;
                walk(member, hash)?;
            }
            hash.count(members.len());
        }
        Value::Binary(_) | Value::Ext(..) => return Err("a type that the data do not have".into()),
    }
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&read(&mut &*data)?, hash)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value = read(&mut &*data)?;
    Ok(Box::new(move |out| Ok(put(out, &value)?)))
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let root = read(&mut &*data)?;
    for path in paths {
        let found = path.follow(&root, |value, step| match (value, step) {
            (Value::Array(items), Step::Index(index)) => items.get(index),
            (Value::Map(members), Step::Key(key)) => {
                let is_key = |each: &Value| matches!(each, Value::String(text) if text.as_str() == Some(key));
                members.iter().find(|(each, _)| is_key(each)).map(|(_, member)| member)
            }
            _ => None,
        })?;
        match found {
            Value::Array(_) | Value::Map(_) => return Err(path.missing()),
            scalar => walk(scalar, hash)?,
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender {
        write: Some(write),
        tree: Some(tree),
        serialize: Some(document),
        lookup: Some(lookup),
        ..Contender::NONE
    })
}
