use serbench::{Contender, Hash, Hashed, Output, Path, Result, Serialize, Step};
use serde_core::de::DeserializeSeed;
use sonic_rs::{
    Deserializer, JsonNumberTrait, JsonType, JsonValueTrait, Number, PointerNode, PointerTree, Value, ValueRef,
};

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    out.block(&sonic_rs::to_vec(root)?);
    Ok(())
}

fn number(x: &Number, hash: &mut Hash) {
    match (x.as_u64(), x.as_i64(), x.as_f64()) {
        (Some(x), _, _) => hash.unsigned(x),
        (_, Some(x), _) => hash.signed(x),
        (_, _, x) => hash.double(x.unwrap_or(f64::NAN)),
    }
}

fn walk(value: &Value, hash: &mut Hash) {
    match value.as_ref() {
        ValueRef::Null => hash.nil(),
        ValueRef::Bool(x) => hash.boolean(x),
        ValueRef::Number(x) => number(&x, hash),
        ValueRef::String(x) => hash.string(x),
        ValueRef::Array(items) => {
            items.iter().for_each(|item| walk(item, hash));
            hash.count(items.len());
        }
        ValueRef::Object(members) => {
            for (key, member) in members.iter() {
                hash.string(key);
                walk(member, hash);
            }
            hash.count(members.len());
        }
    }
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let value: Value = sonic_rs::from_slice(data)?;
    walk(&value, hash);
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut deserializer = Deserializer::from_slice(data);
    Hashed(hash).deserialize(&mut deserializer)?;
    Ok(deserializer.end()?)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let value: Value = sonic_rs::from_slice(data)?;
    Ok(Box::new(move |out| {
        out.block(&sonic_rs::to_vec(&value)?);
        Ok(())
    }))
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let mut tree = PointerTree::new();
    for path in paths {
        tree.add_path(path.steps.iter().map(|step| match *step {
            Step::Key(key) => PointerNode::Key(key.into()),
            Step::Index(index) => PointerNode::Index(index),
        }));
    }
    for (path, found) in paths.iter().zip(sonic_rs::get_many(&*data, &tree)?) {
        let found = found.ok_or_else(|| path.missing())?;
        match (found.get_type(), found.as_bool(), found.as_number(), found.as_str()) {
            (JsonType::Null, ..) => hash.nil(),
            (_, Some(x), ..) => hash.boolean(x),
            (_, _, Some(x), _) => number(&x, hash),
            (_, _, _, Some(x)) => hash.string(x),
            _ => return Err(path.missing()),
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
