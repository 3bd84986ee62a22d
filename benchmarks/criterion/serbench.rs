//! What a contender takes for the harness: the harness itself, but for `run`, which lets criterion time the row.
//!
//!     PROGRAM TEST REQUEST HASH FOLDER
//!
//! REQUEST is the worker's line `prepare`, HASH what an iteration must give; criterion leaves its estimates in FOLDER.

use std::process::ExitCode;
use std::time::Duration;

use criterion::Criterion;
pub use harness::*;

const WARM_UP: Duration = Duration::from_millis(200);
const MEASURING: Duration = Duration::from_secs(1);

pub fn run(contender: Contender) -> ExitCode {
    match time(&contender) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}

fn time(contender: &Contender) -> Result {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [test, request, expected, folder] = words.as_slice() else { return Err("it takes four arguments".into()) };
    let mut row = Row::prepare(contender, test, request)?;
    let mut hash = row.iterate()?;
    check(hash, expected)?;
    Criterion::default()
        .output_directory(folder.as_ref())
        .warm_up_time(WARM_UP)
        .measurement_time(MEASURING)
        .bench_function("row", |bencher| bencher.iter(|| hash = row.iterate().expect("it passed before")));
    check(hash, expected)
}

fn check(hash: u32, expected: &str) -> Result {
    match format!("{hash:08x}") {
        found if found == expected => Ok(()),
        found => Err(format!("an iteration gives the hash {found} in place of {expected}").into()),
    }
}
