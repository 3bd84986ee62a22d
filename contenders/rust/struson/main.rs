use serbench::{Contender, Hash, Output, Result, Value};
use struson::reader::{JsonReader, JsonStreamReader, ReaderSettings, ValueType};
use struson::writer::{JsonStreamWriter, JsonWriter};

fn put(writer: &mut impl JsonWriter, value: &Value<'_>) -> Result {
    match *value {
        Value::Nil => writer.null_value()?,
        Value::Bool(x) => writer.bool_value(x)?,
        Value::Negative(x) => writer.number_value(x)?,
        Value::Natural(x) => writer.number_value(x)?,
        Value::Double(x) => writer.fp_number_value(x)?,
        Value::String(x) => writer.string_value(x)?,
        Value::Array(items) => {
            writer.begin_array()?;
            for item in items {
                put(writer, item)?;
            }
            writer.end_array()?;
        }
        Value::Map(members) => {
            writer.begin_object()?;
            for member in members {
                writer.name(member.key)?;
                put(writer, &member.value)?;
            }
            writer.end_object()?;
        }
    }
    Ok(())
}

fn write(root: &Value<'_>, out: &mut Output) -> Result {
    let mut writer = JsonStreamWriter::new(out);
    put(&mut writer, root)?;
    writer.finish_document()?;
    Ok(())
}

/// A number comes as text. `-0` is a double: no integer has its sign.
fn number(text: &str, hash: &mut Hash) -> Result {
    if text.contains(['.', 'e', 'E']) || text == "-0" {
        hash.double(text.parse()?);
    } else if text.starts_with('-') {
        hash.signed(text.parse()?);
    } else {
        hash.unsigned(text.parse()?);
    }
    Ok(())
}

fn element(reader: &mut impl JsonReader, hash: &mut Hash) -> Result {
    match reader.peek()? {
        ValueType::Null => {
            reader.next_null()?;
            hash.nil();
        }
        ValueType::Boolean => hash.boolean(reader.next_bool()?),
        ValueType::Number => number(reader.next_number_as_str()?, hash)?,
        ValueType::String => hash.string(reader.next_str()?),
        ValueType::Array => {
            let mut count = 0;
            reader.begin_array()?;
            while reader.has_next()? {
                element(reader, hash)?;
                count += 1;
            }
            reader.end_array()?;
            hash.count(count);
        }
        ValueType::Object => {
            let mut count = 0;
            reader.begin_object()?;
            while reader.has_next()? {
                hash.string(reader.next_name()?);
                element(reader, hash)?;
                count += 1;
            }
            reader.end_object()?;
            hash.count(count);
        }
    }
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let settings = ReaderSettings { restrict_number_values: false, ..ReaderSettings::default() };
    let mut reader = JsonStreamReader::new_custom(&*data, settings);
    element(&mut reader, hash)?;
    Ok(reader.consume_trailing_whitespace()?)
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), incremental: Some(incremental), ..Contender::NONE })
}
