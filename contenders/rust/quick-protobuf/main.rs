use quick_protobuf::{BytesReader, MessageRead, MessageWrite, Writer};
use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};

serbench::schema!();

/// Like serialize_into_vec, but without the length before the message.
fn write(root: &Root, out: &mut Output) -> Result {
    let mut bytes = Vec::with_capacity(root.get_size());
    root.write_message(&mut Writer::new(&mut bytes))?;
    out.block(&bytes);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    Root::from_reader(&mut BytesReader::from_bytes(data), data)?.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { tree: Some(tree), ..Contender::NONE })
}
