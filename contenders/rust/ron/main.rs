use ron::Deserializer;
use serbench::{Contender, Hash, Hashed, Output, Result, Value};
use serde_core::de::DeserializeSeed;

fn write(root: &Value<'_>, out: &mut Output) -> Result {
    out.block(ron::to_string(root)?.as_bytes());
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let mut deserializer = Deserializer::from_bytes(data)?;
    Hashed(hash).deserialize(&mut deserializer).map_err(|why| deserializer.span_error(why))?;
    Ok(deserializer.end()?)
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), incremental: Some(incremental), ..Contender::NONE })
}
