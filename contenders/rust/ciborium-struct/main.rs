use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};

serbench::schema!();

fn write(root: &Root, out: &mut Output) -> Result {
    Ok(ciborium::into_writer(root, out)?)
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let root: Root = ciborium::from_reader(&*data)?;
    root.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { tree: Some(tree), ..Contender::NONE })
}
