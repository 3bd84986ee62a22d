use serbench::{Contender, Hash, Hashed, Output, Result, Serialize};
use serde_core::de::DeserializeSeed;
use serde_pickle::{DeOptions, Deserializer, HashableValue, SerOptions, Value};

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    out.block(&serde_pickle::to_vec(root, SerOptions::new())?);
    Ok(())
}

fn walk(value: &Value, hash: &mut Hash) -> Result {
    match value {
        Value::None => hash.nil(),
        Value::Bool(x) => hash.boolean(*x),
        Value::I64(x) => hash.signed(*x),
        Value::Int(x) => hash.unsigned(x.try_into()?),
        Value::F64(x) => hash.double(*x),
        Value::String(x) => hash.string(x),
        Value::List(items) => {
            for item in items {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        Value::Dict(members) => {
            for (key, member) in members {
                match key {
                    HashableValue::String(key) => hash.string(key),
                    other => return Err(format!("{other:?} is a key").into()),
                }
                walk(member, hash)?;
            }
            hash.count(members.len());
        }
        other => return Err(format!("unexpected {other:?}").into()),
    }
    Ok(())
}

fn parse(data: &[u8]) -> Result<Value> {
    Ok(serde_pickle::value_from_slice(data, DeOptions::new())?)
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&parse(data)?, hash)
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut deserializer = Deserializer::new(&*data, DeOptions::new());
    Hashed(hash).deserialize(&mut deserializer)?;
    Ok(deserializer.end()?)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value = parse(data)?;
    Ok(Box::new(move |out| {
        out.block(&serde_pickle::value_to_vec(&value, SerOptions::new())?);
        Ok(())
    }))
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender {
        write: Some(write),
        tree: Some(tree),
        incremental: Some(incremental),
        serialize: Some(document),
        ..Contender::NONE
    })
}
