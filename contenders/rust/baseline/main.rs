//! What every row pays even if its library cost nothing.

use serbench::{Contender, Hash, Output, Path, Result, Serialize, Value, baseline};

/// The smallest encoding is handed over.
fn write(_: &Value<'_>, out: &mut Output) -> Result {
    out.block(baseline().input);
    Ok(())
}

/// All values are hashed.
fn read(_: &mut [u8], hash: &mut Hash) -> Result {
    baseline().hash_words(hash);
    Ok(())
}

/// The smallest encoding is handed over.
fn document(data: &mut [u8]) -> Result<Serialize<'_>> {
    Ok(Box::new(|out| {
        out.block(data);
        Ok(())
    }))
}

/// The values that were found, which are the harness's tree, are hashed.
fn lookup(_: &mut [u8], _: &[Path], hash: &mut Hash) -> Result {
    if let Value::Array(found) = baseline().root {
        found.iter().for_each(|value| hash.tree(value));
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender {
        write: Some(write),
        tree: Some(read),
        incremental: Some(read),
        serialize: Some(document),
        lookup: Some(lookup),
    })
}
