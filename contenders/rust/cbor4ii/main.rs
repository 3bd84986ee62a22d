use cbor4ii::core::Value;
use cbor4ii::core::dec::Decode;
use cbor4ii::core::enc::Encode;
use cbor4ii::core::utils::{BufWriter, SliceReader};
use cbor4ii::serde::{Deserializer, to_vec};
use serbench::{Contender, Hash, Hashed, Output, Result, Serialize};
use serde_core::de::DeserializeSeed;

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    out.block(&to_vec(Vec::new(), root)?);
    Ok(())
}

fn walk(value: &Value, hash: &mut Hash) -> Result {
    match value {
        Value::Null => hash.nil(),
        Value::Bool(x) => hash.boolean(*x),
        Value::Integer(x) => match (u64::try_from(*x), i64::try_from(*x)) {
            (Ok(x), _) => hash.unsigned(x),
            (_, x) => hash.signed(x?),
        },
        Value::Float(x) => hash.double(*x),
        Value::Text(x) => hash.string(x),
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
        other => return Err(format!("unexpected {other:?}").into()),
    }
    Ok(())
}

fn parse(data: &[u8]) -> Result<Value> {
    Ok(Value::decode(&mut SliceReader::new(data))?)
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&parse(data)?, hash)
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    Ok(Hashed(hash).deserialize(&mut Deserializer::new(SliceReader::new(data)))?)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value = parse(data)?;
    Ok(Box::new(move |out| {
        let mut writer = BufWriter::new(Vec::new());
        value.encode(&mut writer)?;
        out.block(writer.buffer());
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
