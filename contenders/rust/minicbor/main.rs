use minicbor::data::Type;
use minicbor::encode::write::Writer;
use minicbor::{Decoder, Encoder};
use serbench::{Contender, Hash, Output, Result, Value};

type Encoding<'o> = Encoder<Writer<&'o mut Output>>;

fn put(encoder: &mut Encoding<'_>, value: &Value<'_>) -> Result {
    match *value {
        Value::Nil => encoder.null()?,
        Value::Bool(x) => encoder.bool(x)?,
        Value::Negative(x) => encoder.i64(x)?,
        Value::Natural(x) => encoder.u64(x)?,
        Value::Double(x) => encoder.f64(x)?,
        Value::String(x) => encoder.str(x)?,
        Value::Array(items) => {
            encoder.array(items.len() as u64)?;
            items.iter().try_for_each(|item| put(encoder, item))?;
            encoder
        }
        Value::Map(members) => {
            encoder.map(members.len() as u64)?;
            for member in members {
                encoder.str(member.key)?;
                put(encoder, &member.value)?;
            }
            encoder
        }
    };
    Ok(())
}

fn write(root: &Value<'_>, out: &mut Output) -> Result {
    put(&mut Encoder::new(Writer::new(out)), root)
}

fn element(decoder: &mut Decoder<'_>, hash: &mut Hash) -> Result {
    match decoder.datatype()? {
        Type::Null => {
            decoder.null()?;
            hash.nil();
        }
        Type::Bool => hash.boolean(decoder.bool()?),
        Type::U8 | Type::U16 | Type::U32 | Type::U64 => hash.unsigned(decoder.u64()?),
        Type::I8 | Type::I16 | Type::I32 | Type::I64 => hash.signed(decoder.i64()?),
        Type::F16 | Type::F32 | Type::F64 => hash.double(decoder.f64()?),
        Type::String => hash.string(decoder.str()?),
        Type::Array => {
            let count = decoder.array()?.ok_or("an array of no definite length")?;
            for _ in 0..count {
                element(decoder, hash)?;
            }
            hash.count(count as usize);
        }
        Type::Map => {
            let count = decoder.map()?.ok_or("a map of no definite length")?;
            for _ in 0..count {
                hash.string(decoder.str()?);
                element(decoder, hash)?;
            }
            hash.count(count as usize);
        }
        other => return Err(format!("unexpected {other}").into()),
    }
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut decoder = Decoder::new(data);
    element(&mut decoder, hash)?;
    if decoder.position() == decoder.input().len() { Ok(()) } else { Err("bytes follow the root".into()) }
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), incremental: Some(incremental), ..Contender::NONE })
}
