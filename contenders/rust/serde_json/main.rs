use serbench::{Contender, Hash, Hashed, Output, Path, Result, Serialize};
use serde_core::de::DeserializeSeed;
use serde_json::{Deserializer, Value};

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    out.block(&serde_json::to_vec(root)?);
    Ok(())
}

fn walk(value: &Value, hash: &mut Hash) {
    match value {
        Value::Null => hash.nil(),
        Value::Bool(x) => hash.boolean(*x),
        Value::Number(x) => match (x.as_u64(), x.as_i64(), x.as_f64()) {
            (Some(x), _, _) => hash.unsigned(x),
            (_, Some(x), _) => hash.signed(x),
            (_, _, x) => hash.double(x.unwrap_or(f64::NAN)),
        },
        Value::String(x) => hash.string(x),
        Value::Array(items) => {
            items.iter().for_each(|item| walk(item, hash));
            hash.count(items.len());
        }
        Value::Object(members) => {
            for (key, member) in members {
                hash.string(key);
                walk(member, hash);
            }
            hash.count(members.len());
        }
    }
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let value: Value = serde_json::from_slice(data)?;
    walk(&value, hash);
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut deserializer = Deserializer::from_slice(data);
    Hashed(hash).deserialize(&mut deserializer)?;
    Ok(deserializer.end()?)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value: Value = serde_json::from_slice(data)?;
    Ok(Box::new(move |out| {
        out.block(&serde_json::to_vec(&value)?);
        Ok(())
    }))
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let value: Value = serde_json::from_slice(data)?;
    for path in paths {
        match value.pointer(&path.pointer) {
            Some(Value::Array(_) | Value::Object(_)) | None => return Err(path.missing()),
            Some(scalar) => walk(scalar, hash),
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
