use bincode::config::standard;
use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};

serbench::schema!();

fn write(root: &Root, out: &mut Output) -> Result {
    out.block(&bincode::encode_to_vec(root, standard())?);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let root = bincode::decode_from_slice::<Root, _>(data, standard())?.0;
    root.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { tree: Some(tree), ..Contender::NONE })
}
