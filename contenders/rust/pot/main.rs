use pot::Value;
use serbench::{Contender, Hash, Output, Result, Serialize};

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    out.block(&pot::to_vec(root)?);
    Ok(())
}

fn walk(value: &Value<'_>, hash: &mut Hash) -> Result {
    match value {
        Value::None => hash.nil(),
        Value::Bool(x) => hash.boolean(*x),
        Value::Integer(x) => match (x.as_u64(), x.as_i64()) {
            (Ok(x), _) => hash.unsigned(x),
            (_, x) => hash.signed(x?),
        },
        Value::Float(x) => hash.double(x.as_f64()),
        Value::String(x) => hash.string(x),
        Value::Sequence(items) => {
            for item in items {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        Value::Mappings(members) => {
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

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&pot::from_slice(data)?, hash)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value: Value<'_> = pot::from_slice(data)?;
    Ok(Box::new(move |out| {
        out.block(&pot::to_vec(&value)?);
        Ok(())
    }))
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), tree: Some(tree), serialize: Some(document), ..Contender::NONE })
}
