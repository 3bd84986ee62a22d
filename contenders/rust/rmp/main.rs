use rmp::{Marker, decode, encode};
use serbench::{Contender, Hash, Output, Result, Value};

fn put(out: &mut Output, value: &Value<'_>) -> Result {
    match *value {
        Value::Nil => encode::write_nil(out)?,
        Value::Bool(x) => encode::write_bool(out, x)?,
        Value::Negative(x) => _ = encode::write_sint(out, x)?,
        Value::Natural(x) => _ = encode::write_uint(out, x)?,
        Value::Double(x) => encode::write_f64(out, x)?,
        Value::String(x) => encode::write_str(out, x)?,
        Value::Array(items) => {
            encode::write_array_len(out, items.len().try_into()?)?;
            for item in items {
                put(out, item)?;
            }
        }
        Value::Map(members) => {
            encode::write_map_len(out, members.len().try_into()?)?;
            for member in members {
                encode::write_str(out, member.key)?;
                put(out, &member.value)?;
            }
        }
    }
    Ok(())
}

fn write(root: &Value<'_>, out: &mut Output) -> Result {
    put(out, root)
}

fn string(rest: &mut &[u8], hash: &mut Hash) -> Result {
    let (text, after) = decode::read_str_from_slice(*rest).map_err(|why| why.to_string())?;
    hash.string(text);
    *rest = after;
    Ok(())
}

fn element(rest: &mut &[u8], hash: &mut Hash) -> Result {
    let first = *rest.first().ok_or("it ends in the middle of a value")?;
    match Marker::from_u8(first) {
        Marker::Null => {
            decode::read_nil(rest)?;
            hash.nil();
        }
        Marker::True | Marker::False => hash.boolean(decode::read_bool(rest)?),
        Marker::FixPos(_) | Marker::U8 | Marker::U16 | Marker::U32 | Marker::U64 => {
            hash.unsigned(decode::read_int(rest)?);
        }
        Marker::FixNeg(_) | Marker::I8 | Marker::I16 | Marker::I32 | Marker::I64 => {
            hash.signed(decode::read_int(rest)?);
        }
        Marker::F32 => hash.double(decode::read_f32(rest)?.into()),
        Marker::F64 => hash.double(decode::read_f64(rest)?),
        Marker::FixStr(_) | Marker::Str8 | Marker::Str16 | Marker::Str32 => string(rest, hash)?,
        Marker::FixArray(_) | Marker::Array16 | Marker::Array32 => {
            let count = decode::read_array_len(rest)?;
            for _ in 0..count {
                element(rest, hash)?;
            }
            hash.count(count as usize);
        }
        Marker::FixMap(_) | Marker::Map16 | Marker::Map32 => {
            let count = decode::read_map_len(rest)?;
            for _ in 0..count {
                string(rest, hash)?;
                element(rest, hash)?;
            }
            hash.count(count as usize);
        }
        other => return Err(format!("unexpected {other:?}").into()),
    }
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut rest = &*data;
    element(&mut rest, hash)?;
    if rest.is_empty() { Ok(()) } else { Err("bytes follow the root".into()) }
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), incremental: Some(incremental), ..Contender::NONE })
}
