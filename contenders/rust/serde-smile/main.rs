use serbench::{Contender, Hash, Hashed, Output, Path, Result, Serialize, Step};
use serde_core::de::DeserializeSeed;
use serde_smile::Deserializer;
use serde_smile::value::{BigInteger, Value};

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    out.block(&serde_smile::to_vec(root)?);
    Ok(())
}

/// An integer beyond i64, in two's complement, the most significant byte first.
fn big(x: &BigInteger, hash: &mut Hash) -> Result {
    match x.as_be_bytes() {
        [0, bytes @ ..] => hash.unsigned(u64::from_be_bytes(bytes.try_into()?)),
        _ => return Err("an integer of more than 64 bits".into()),
    }
    Ok(())
}

fn walk(value: &Value, hash: &mut Hash) -> Result {
    match value {
        Value::Null => hash.nil(),
        Value::Boolean(x) => hash.boolean(*x),
        Value::Integer(x) => hash.signed((*x).into()),
        Value::Long(x) => hash.signed(*x),
        Value::BigInteger(x) => big(x, hash)?,
        Value::Float(x) => hash.double((*x).into()),
        Value::Double(x) => hash.double(*x),
        Value::String(x) => hash.string(x),
        Value::Array(items) => {
            for item in items {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        Value::Object(members) => {
            for (key, member) in members {
                hash.string(key);
                walk(member, hash)?;
            }
            hash.count(members.len());
        }
        Value::BigDecimal(_) | Value::Binary(_) => return Err("a type that the data do not have".into()),
    }
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&serde_smile::from_slice(data)?, hash)
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut deserializer = Deserializer::from_slice(data);
    Hashed(hash).deserialize(&mut deserializer)?;
    Ok(deserializer.end()?)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value: Value = serde_smile::from_slice(data)?;
    Ok(Box::new(move |out| {
        out.block(&serde_smile::to_vec(&value)?);
        Ok(())
    }))
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let root: Value = serde_smile::from_slice(data)?;
    for path in paths {
        let found = path.follow(&root, |value, step| match (value, step) {
            (Value::Array(items), Step::Index(index)) => items.get(index),
            (Value::Object(members), Step::Key(key)) => members.get(key),
            _ => None,
        })?;
        match found {
            Value::Array(_) | Value::Object(_) => return Err(path.missing()),
            scalar => walk(scalar, hash)?,
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender {
        write: Some(write),
        tree: Some(tree),
        incremental: Some(incremental),
        serialize: Some(document),
        lookup: Some(lookup),
    })
}
