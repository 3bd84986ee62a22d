use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};
use speedy::{Readable, Writable};

serbench::schema!();

fn write(root: &Root, out: &mut Output) -> Result {
    out.block(&root.write_to_vec()?);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let root: Root = Root::read_from_buffer(data)?;
    root.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run_with_struct(Root::fill, write, Contender { tree: Some(tree), ..Contender::NONE })
}
