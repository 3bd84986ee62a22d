use protobuf::{Parse, Serialize as _};
use schema::{Fill, Root};
use serbench::{Contender, Hash, Output, Result, Serialize};
use tables::{Made, fill_root, walk_root};

serbench::schema!();

#[allow(clippy::all, unused)]
mod generated {
    include!(concat!(env!("SB_GENERATED"), "/generated.rs"));
}

#[allow(clippy::all, non_snake_case, unused)]
mod tables {
    use serbench::{Hash, Result};

    use crate::generated as pb;
    use crate::schema::*;

    include!(concat!(env!("SB_GENERATED"), "/tables.rs"));
}

fn write(root: &Root, out: &mut Output) -> Result {
    let mut made = Made::new();
    fill_root(root, made.as_mut());
    out.block(&made.serialize()?);
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    walk_root(Made::parse(data)?.as_view(), hash)
}

fn serialize(data: &mut [u8]) -> Result<Serialize<'_>> {
    let made = Made::parse(data)?;
    Ok(Box::new(move |out| {
        out.block(&made.serialize()?);
        Ok(())
    }))
}

fn main() -> std::process::ExitCode {
    let tests = Contender { tree: Some(tree), serialize: Some(serialize), ..Contender::NONE };
    serbench::run_with_struct(Root::fill, write, tests)
}
