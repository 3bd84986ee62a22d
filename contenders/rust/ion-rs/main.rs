use ion_rs::{Element, Int, List, Sequence, Struct, Value, v1_0};
use serbench::{Contender, Hash, Output, Path, Result, Serialize, Step};

/// The library's document of a value tree.
fn make(value: &serbench::Value<'_>) -> Element {
    match *value {
        serbench::Value::Nil => Element::null(ion_rs::IonType::Null),
        serbench::Value::Bool(x) => x.into(),
        serbench::Value::Negative(x) => x.into(),
        serbench::Value::Natural(x) => Element::int(x),
        serbench::Value::Double(x) => x.into(),
        serbench::Value::String(x) => x.into(),
        serbench::Value::Array(items) => List::from(Sequence::new(items.iter().map(make))).into(),
        serbench::Value::Map(members) => {
            let builder = Struct::builder();
            let fields = members.iter().map(|each| (each.key, make(&each.value)));
            builder.with_fields(fields).build().into()
        }
    }
}

fn put(element: &Element, out: &mut Output) -> Result {
    out.block(&element.encode_as(v1_0::Binary)?);
    Ok(())
}

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    put(&make(root), out)
}

fn number(x: &Int, hash: &mut Hash) -> Result {
    match (x.as_u64(), x.as_i64()) {
        (Some(x), _) => hash.unsigned(x),
        (_, Some(x)) => hash.signed(x),
        _ => return Err("an integer of more than 64 bits".into()),
    }
    Ok(())
}

fn walk(element: &Element, hash: &mut Hash) -> Result {
    match element.value() {
        Value::Null(_) => hash.nil(),
        Value::Bool(x) => hash.boolean(*x),
        Value::Int(x) => number(x, hash)?,
        Value::Float(x) => hash.double(*x),
        Value::String(x) => hash.string(x.text()),
        Value::List(items) => {
            for item in items.elements() {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        Value::Struct(members) => {
            for (key, member) in members.fields() {
                hash.string(key.text().ok_or("a key without text")?);
                walk(member, hash)?;
            }
            hash.count(members.len());
        }
        other => return Err(format!("unexpected {}", other.ion_type()).into()),
    }
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&Element::read_one(&*data)?, hash)
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let element = Element::read_one(&*data)?;
    Ok(Box::new(move |out| put(&element, out)))
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let root = Element::read_one(&*data)?;
    for path in paths {
        let found = path.follow(&root, |element, step| match (element.value(), step) {
            (Value::List(items), Step::Index(index)) => items.get(index),
            (Value::Struct(members), Step::Key(key)) => members.get(key),
            _ => None,
        })?;
        match found.value() {
            Value::List(_) | Value::Struct(_) => return Err(path.missing()),
            _ => walk(found, hash)?,
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
