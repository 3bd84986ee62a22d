use capnp::message::{Builder, ReaderOptions};
use capnp::serialize;
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
    out.block(&serialize::write_message_to_words(&message));
    Ok(())
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    let any = ReaderOptions { traversal_limit_in_words: None, nesting_limit: i32::MAX };
    let message = serialize::read_message_from_flat_slice(&mut &*data, any)?;
    tables::walk_root(message.get_root()?, hash)?;
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { incremental: Some(incremental), ..Contender::NONE })
}
