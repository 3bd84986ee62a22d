//! A reader and a writer of known cost: a chain of steps, then values or bytes that are there.

use std::hint::black_box;

use serbench::{Contender, Hash, Output, Result, Value};

const LENGTH: usize = 1000;
static TEXTS: [[u8; LENGTH]; 64] = [[b'x'; LENGTH]; 64];
static BYTES: [u8; 64000] = [b'x'; 64000];

/// None can begin before the last one has ended.
fn take_steps(count: u64) {
    let mut x = count;
    for _ in 0..count {
        x = black_box(x.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    }
    black_box(x);
}

/// As many steps as the input begins with, then values of all kinds, or where a letter follows of texts, integers,
/// doubles or none.
fn read(data: &mut [u8], hash: &mut Hash) -> Result {
    take_steps(std::str::from_utf8(&data[..8])?.parse()?);
    let kind = data[8];
    let wanted = |count: usize, of: u8| if kind == b'a' || kind == of { count } else { 0 };
    let numbers = if kind == b'a' { 100 } else { 1000 };
    for text in &black_box(&TEXTS)[..wanted(TEXTS.len(), b't')] {
        hash.string_bytes(text);
        black_box(&mut *hash);
    }
    for i in 0..wanted(numbers, b'i') {
        hash.unsigned(i as u64 * 1234567);
        black_box(&mut *hash);
    }
    for i in 0..wanted(numbers, b'd') {
        hash.double(i as f64 + 0.5);
        black_box(&mut *hash);
    }
    hash.count(TEXTS.len());
    Ok(())
}

/// As many steps as the first element says.
fn write(root: &Value<'_>, out: &mut Output) -> Result {
    if let Value::Array(&[Value::Natural(steps)]) = *root {
        take_steps(steps);
    }
    out.block(black_box(&BYTES));
    Ok(())
}

fn main() -> std::process::ExitCode {
    serbench::run(Contender { write: Some(write), tree: Some(read), ..Contender::NONE })
}
