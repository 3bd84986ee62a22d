use ciborium::Value;
use serbench::{Contender, Hash, Output, Result, Serialize};

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    Ok(ciborium::into_writer(root, out)?)
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
    Ok(ciborium::from_reader(data)?)
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&parse(data)?, hash)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value = parse(data)?;
    Ok(Box::new(move |out| Ok(ciborium::into_writer(&value, out)?)))
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), tree: Some(tree), serialize: Some(document), ..Contender::NONE })
}
