use capnp::message::{Builder, ReaderOptions};
use capnp::{serialize, serialize_packed};
use schema::{Fill, Root};
use serbench::{Contender, Hash, Output, Result};

serbench::schema!();

#[allow(clippy::all, unused)]
mod data_capnp {
    include!(concat!(env!("OUT_DIR"), "/data_capnp.rs"));
}

#[allow(clippy::all, non_snake_case, unused)]
mod tables {
    use serbench::Hash;

    use crate::data_capnp as cp;
    use crate::schema::*;

    include!(concat!(env!("SB_GENERATED"), "/tables.rs"));
}

fn write(root: &Root, out: &mut Output) -> Result {
    let mut message = Builder::new_default();
    tables::pack_root(message.init_root(), root);
    if cfg!(feature = "packed") {
        let mut bytes = Vec::new();
        serialize_packed::write_message(&mut bytes, &message)?;
        out.block(&bytes);
    } else {
        out.block(&serialize::write_message_to_words(&message));
    }
    Ok(())
}

const ANY: ReaderOptions = ReaderOptions { traversal_limit_in_words: None, nesting_limit: i32::MAX };

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let message = serialize::read_message_from_flat_slice(&mut &*data, ANY)?;
    tables::walk_root(message.get_root()?, hash)?;
    Ok(())
}

/// Unpacks into a message of its own.
fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let message = serialize_packed::read_message(&*data, ANY)?;
    tables::walk_root(message.get_root()?, hash)?;
    Ok(())
}

fn main() -> std::process::ExitCode {
    let contender = Contender { incremental: Some(incremental), tree: Some(tree), ..Contender::NONE };
    serbench::run_with_struct(Root::fill, write, contender)
}
