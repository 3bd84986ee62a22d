use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};

serbench::schema!();

fn write(root: &Root, out: &mut Output) -> Result {
    out.block(&sonic_rs::to_vec(root)?);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let root: Root = sonic_rs::from_slice(data)?;
    root.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { tree: Some(tree), ..Contender::NONE })
}
