//! All values in one vector: a container is a node that says how many nodes follow it.

use serbench::{Hash, Path, Result, Step};
use simd_json::ValueType;
use simd_json::prelude::{TypedValue, ValueAsScalar};
use simd_json::tape::Value;

fn walk(value: Value<'_, '_>, hash: &mut Hash) -> Result {
    if let Some(object) = value.as_object() {
        for (key, member) in object.iter() {
            hash.string(key);
            walk(member, hash)?;
        }
        hash.count(object.len());
    } else if let Some(array) = value.as_array() {
        for item in array.iter() {
            walk(item, hash)?;
        }
        hash.count(array.len());
    } else {
        scalar(value, hash).ok_or("a type that JSON does not have")?;
    }
    Ok(())
}

/// Hashes a value; None if it is no scalar.
fn scalar(value: Value<'_, '_>, hash: &mut Hash) -> Option<()> {
    match value.value_type() {
        ValueType::Null => hash.nil(),
        ValueType::Bool => hash.boolean(value.as_bool()?),
        ValueType::I64 => hash.signed(value.as_i64()?),
        ValueType::U64 => hash.unsigned(value.as_u64()?),
        ValueType::F64 => hash.double(value.as_f64()?),
        ValueType::String => hash.string(value.as_str()?),
        _ => return None,
    }
    Some(())
}

pub fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(simd_json::to_tape(data)?.as_value(), hash)
}

pub fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let tape = simd_json::to_tape(data)?;
    for path in paths {
        let found = path.follow(tape.as_value(), |value, step| match step {
            Step::Key(key) => value.as_object()?.get(key),
            Step::Index(index) => value.as_array()?.get(index),
        })?;
        scalar(found, hash).ok_or_else(|| path.missing())?;
    }
    Ok(())
}
