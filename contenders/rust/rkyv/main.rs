mod archived;

use rkyv::rancor::Error;
use schema::{Fill, Root, Walk};
use serbench::{Contender, Hash, Output, Result};

serbench::schema!();

fn write(root: &Root, out: &mut Output) -> Result {
    out.block(&rkyv::to_bytes::<Error>(root)?);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    let root: Root = rkyv::from_bytes::<_, Error>(data)?;
    root.walk(hash);
    Ok(())
}

#[cfg(not(feature = "unchecked"))]
fn access(data: &[u8]) -> Result<&rkyv::Archived<Root>> {
    Ok(rkyv::access::<_, Error>(data)?)
}

#[cfg(feature = "unchecked")]
fn access(data: &[u8]) -> Result<&rkyv::Archived<Root>> {
    // SAFETY: the data are what `write` wrote.
    Ok(unsafe { rkyv::access_unchecked(data) })
}

fn incremental(data: &mut [u8], hash: &mut Hash) -> Result {
    access(data)?.walk(hash);
    Ok(())
}

fn main() -> std::process::ExitCode {
    let readers = Contender { tree: Some(tree), incremental: Some(incremental), ..Contender::NONE };
    serbench::run_with_struct(Root::fill, write, readers)
}
