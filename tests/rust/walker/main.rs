//! Not a library: the harness's own values, so that its tape reader and its hashes are tested.

use serbench::{Contender, Hash, Result, Value, baseline};

/// Hashes maps by the rule for those whose order differs each time.
fn unordered(value: &Value<'_>, hash: &mut Hash) -> Result {
    match *value {
        Value::Array(items) => {
            for item in items {
                unordered(item, hash)?;
            }
            hash.count(items.len());
        }
        Value::Map(members) => {
            let mut entries = hash.entries();
            for member in members.iter().rev() {
                entries.add(hash, |hash| {
                    hash.string(member.key);
                    unordered(&member.value, hash)
                })?;
            }
            entries.end(hash);
        }
        _ => hash.tree(value),
    }
    Ok(())
}

fn tree(data: &mut [u8], hash: &mut Hash) -> Result {
    match &*data {
        b"panic" => panic!("this is {}", "why"),
        b"unordered" => return unordered(baseline().root, hash),
        _ => hash.tree(baseline().root),
    }
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { tree: Some(tree), ..Contender::NONE })
}
