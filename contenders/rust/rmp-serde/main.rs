use rmp_serde::Deserializer;
use serbench::{Contender, Hash, Hashed, Output, Result, Value};
use serde_core::de::DeserializeSeed;

fn write(root: &Value<'_>, out: &mut Output) -> Result {
    out.block(&rmp_serde::to_vec(root)?);
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    Ok(Hashed(hash).deserialize(&mut Deserializer::from_read_ref(data))?)
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), incremental: Some(incremental), ..Contender::NONE })
}
