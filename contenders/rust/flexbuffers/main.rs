use flexbuffers::{FlexBufferType, FlexbufferSerializer, Reader};
use serbench::{Contender, Hash, Hashed, Output, Path, Result, Step};
use serde_core::Serialize;
use serde_core::de::DeserializeSeed;

type Root<'d> = Reader<&'d [u8]>;

fn write(root: &serbench::Value<'_>, out: &mut Output) -> Result {
    let mut serializer = FlexbufferSerializer::new();
    root.serialize(&mut serializer)?;
    out.block(serializer.view());
    Ok(())
}

/// Hashes a value; false if it is no scalar.
fn scalar(value: &Root<'_>, hash: &mut Hash) -> Result<bool> {
    match value.flexbuffer_type() {
        FlexBufferType::Null => hash.nil(),
        FlexBufferType::Bool => hash.boolean(value.get_bool()?),
        FlexBufferType::Int => hash.signed(value.get_i64()?),
        FlexBufferType::UInt => hash.unsigned(value.get_u64()?),
        FlexBufferType::Float => hash.double(value.get_f64()?),
        FlexBufferType::String => hash.string(value.get_str()?),
        _ => return Ok(false),
    }
    Ok(true)
}

fn walk(value: &Root<'_>, hash: &mut Hash) -> Result {
    if scalar(value, hash)? {
        return Ok(());
    }
    if value.flexbuffer_type() == FlexBufferType::Map {
        let map = value.get_map()?;
        let keys = map.keys_vector();
        for index in 0..map.len() {
            hash.string(keys.index(index)?.get_key()?);
            walk(&map.index(index)?, hash)?;
        }
        hash.count(map.len());
        return Ok(());
    }
    let items = value.get_vector()?;
    for index in 0..items.len() {
        walk(&items.index(index)?, hash)?;
    }
    hash.count(items.len());
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk(&Reader::get_root(&*data)?, hash)
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    Ok(Hashed(hash).deserialize(Reader::get_root(&*data)?)?)
}

fn lookup(data: &mut [u8], paths: &[Path], hash: &mut Hash) -> Result {
    let root = Reader::get_root(&*data)?;
    for path in paths {
        let found = path.follow(root.clone(), |value, step| match step {
            Step::Key(key) => value.get_map().ok()?.index(key).ok(),
            Step::Index(index) => value.get_vector().ok()?.index(index).ok(),
        })?;
        if !scalar(&found, hash)? {
            return Err(path.missing());
        }
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender {
        write: Some(write),
        tree: Some(tree),
        incremental: Some(incremental),
        lookup: Some(lookup),
        ..Contender::NONE
    })
}
