#[cfg(feature = "tape")]
mod tape;

use serbench::{Contender, Hash, Output, Path, Result, Step};
use simd_json::StaticNode;
use simd_json::prelude::{ValueAsArray, ValueAsObject};
#[cfg(not(feature = "owned"))]
use simd_json::{BorrowedValue as Value, to_borrowed_value as parse};
#[cfg(feature = "owned")]
use simd_json::{OwnedValue as Value, to_owned_value as parse};

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    out.block(&simd_json::to_vec(root)?);
    Ok(())
}

fn scalar(value: &StaticNode, hash: &mut Hash) {
    match *value {
        StaticNode::Null => hash.nil(),
        StaticNode::Bool(x) => hash.boolean(x),
        StaticNode::I64(x) => hash.signed(x),
        StaticNode::U64(x) => hash.unsigned(x),
        StaticNode::F64(x) => hash.double(x),
    }
}

fn walk(value: &Value, hash: &mut Hash) -> Result {
    match value {
        Value::Static(x) => scalar(x, hash),
        Value::String(x) => hash.string(x),
        Value::Array(items) => {
            for item in items.iter() {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        // More than 32 entries stand in a hash table whose order is another one each time.
        Value::Object(members) => {
            let mut entries = hash.entries();
            for (key, member) in members.iter() {
                entries.add(hash, |hash| {
                    hash.string(key);
                    walk(member, hash)
                })?;
            }
            entries.end(hash);
        }
    }
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&parse(data)?, hash)
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let root = parse(data)?;
    for path in paths {
        let found = path.follow(&root, |value, step| match step {
            Step::Key(key) => value.as_object()?.get(key),
            Step::Index(index) => value.as_array()?.get(index),
        })?;
        match found {
            Value::Static(_) | Value::String(_) => walk(found, hash)?,
            Value::Array(_) | Value::Object(_) => return Err(path.missing()),
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    let contender = Contender { write: Some(write), tree: Some(tree), lookup: Some(lookup), ..Contender::NONE };
    #[cfg(feature = "tape")]
    let contender = Contender { tree: Some(tape::tree), lookup: Some(tape::lookup), ..contender };
    serbench::run(contender)
}
