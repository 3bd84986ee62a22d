use schema::{Fill, Root};
use serbench::{Contender, Hash, Output, Result, Serialize};
use tables::{Made, fill_root, walk_root};
use thrift::protocol::{TCompactInputProtocol, TCompactOutputProtocol, TSerializable};

serbench::schema!();

#[allow(clippy::all, unused)]
mod data {
    include!(concat!(env!("SB_GENERATED"), "/data.rs"));
}

#[allow(clippy::all, non_snake_case, unused)]
mod tables {
    use serbench::Hash;

    use crate::data as th;
    use crate::schema::*;

    include!(concat!(env!("SB_GENERATED"), "/tables.rs"));
}

fn encode(root: &Made, out: &mut Output) -> Result {
    let mut bytes = Vec::new();
    root.write_to_out_protocol(&mut TCompactOutputProtocol::new(&mut bytes))?;
    out.block(&bytes);
    Ok(())
}

fn decode(data: &[u8]) -> Result<Made> {
    Ok(Made::read_from_in_protocol(&mut TCompactInputProtocol::new(data))?)
}

fn write(root: &Root, out: &mut Output) -> Result {
    encode(&fill_root(root), out)
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk_root(&decode(data)?, hash);
    Ok(())
}

fn serialize(data: &mut [u8]) -> Result<Serialize<'_>> {
    let root = decode(data)?;
    Ok(Box::new(move |out| encode(&root, out)))
}

fn main() -> std::process::ExitCode {
    let tests = Contender { tree: Some(tree), serialize: Some(serialize), ..Contender::NONE };
    serbench::run_with_struct(Root::fill, write, tests)
}
