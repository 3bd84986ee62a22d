use bson::{Bson, Document, RawBsonRef, RawDocument};
use serbench::{Contender, Hash, Output, Path, Result, Serialize, Step, Value, root_is_array};
use serde_core::ser::Serializer;

/// A root array as a document with its indexes as keys: BSON has no other root.
struct Indexed<'v>(&'v [Value<'v>]);

impl serde_core::Serialize for Indexed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().enumerate().map(|(index, item)| (index.to_string(), item)))
    }
}

fn write(root: &Value<'_>, out: &mut Output) -> Result {
    out.block(&match root {
        Value::Array(items) => bson::serialize_to_vec(&Indexed(items))?,
        _ => bson::serialize_to_vec(root)?,
    });
    Ok(())
}

fn members(document: &Document, hash: &mut Hash, keys: bool) -> Result {
    for (key, member) in document {
        if keys {
            hash.string(key);
        }
        walk(member, hash)?;
    }
    hash.count(document.len());
    Ok(())
}

fn walk(value: &Bson, hash: &mut Hash) -> Result {
    match value {
        Bson::Null => hash.nil(),
        Bson::Boolean(x) => hash.boolean(*x),
        Bson::Int32(x) => hash.signed((*x).into()),
        Bson::Int64(x) => hash.signed(*x),
        Bson::Double(x) => hash.double(*x),
        Bson::String(x) => hash.string(x),
        Bson::Array(items) => {
            for item in items {
                walk(item, hash)?;
            }
            hash.count(items.len());
        }
        Bson::Document(document) => members(document, hash, true)?,
        other => return Err(format!("unexpected {:?}", other.element_type()).into()),
    }
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    members(&Document::from_reader(&*data)?, hash, !root_is_array())
}

fn raw_members(document: &RawDocument, hash: &mut Hash, keys: bool) -> Result {
    let mut count = 0;
    for member in document {
        let (key, value) = member?;
        if keys {
            hash.string(key.as_str());
        }
        raw(value, hash)?;
        count += 1;
    }
    hash.count(count);
    Ok(())
}

fn raw(value: RawBsonRef<'_>, hash: &mut Hash) -> Result {
    match value {
        RawBsonRef::Null => hash.nil(),
        RawBsonRef::Boolean(x) => hash.boolean(x),
        RawBsonRef::Int32(x) => hash.signed(x.into()),
        RawBsonRef::Int64(x) => hash.signed(x),
        RawBsonRef::Double(x) => hash.double(x),
        RawBsonRef::String(x) => hash.string(x),
        RawBsonRef::Array(items) => {
            let mut count = 0;
            for item in items {
                raw(item?, hash)?;
                count += 1;
            }
            hash.count(count);
        }
        RawBsonRef::Document(document) => raw_members(document, hash, true)?,
        other => return Err(format!("unexpected {:?}", other.element_type()).into()),
    }
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    raw_members(RawDocument::from_bytes(data)?, hash, !root_is_array())
}

fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    let document = Document::from_reader(&*data)?;
    Ok(Box::new(move |out| {
        out.block(&document.to_vec()?);
        Ok(())
    }))
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let root = RawDocument::from_bytes(data)?;
    for path in paths {
        let found = path.follow(RawBsonRef::Document(root), |value, step| match (value, step) {
            (RawBsonRef::Document(document), Step::Key(key)) => document.get(key).ok()?,
            (RawBsonRef::Document(document), Step::Index(index)) => document.get(index.to_string()).ok()?,
            (RawBsonRef::Array(items), Step::Index(index)) => items.get(index).ok()?,
            _ => None,
        })?;
        match found {
            RawBsonRef::Array(_) | RawBsonRef::Document(_) => return Err(path.missing()),
            scalar => raw(scalar, hash)?,
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
