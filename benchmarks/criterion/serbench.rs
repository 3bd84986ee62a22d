//! What a contender takes for the harness: the harness itself, but for `run`, which lets criterion time the row.
//!
//!     PROGRAM TEST REQUEST HASH FOLDER
//!
//! REQUEST is the worker's line `prepare`, HASH what an iteration must give; criterion leaves its estimates in FOLDER.
//! At last the program times chunks itself, and prints their median to standard error, in nanoseconds an iteration.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use criterion::{Criterion, SamplingMode};
pub use harness::*;

const WARM_UP: Duration = Duration::from_millis(200);
const MEASURING: Duration = Duration::from_secs(1);
/// As long as a chunk of serbench's: longer ones are interrupted more often, which moves their median.
const SAMPLE: Duration = Duration::from_millis(1);

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
    let start = Instant::now();
    row.iterate()?;
    let once = start.elapsed();
    let samples = ((MEASURING.as_nanos() / SAMPLE.max(once).as_nanos()) as usize).max(10);
    let mut criterion = Criterion::default().output_directory(folder.as_ref()).nresamples(1000);
    let mut group = criterion.benchmark_group("row");
    group.sampling_mode(SamplingMode::Flat).sample_size(samples);
    group.warm_up_time(WARM_UP).measurement_time(MEASURING);
    group.bench_function("row", |bencher| bencher.iter(|| hash = row.iterate().expect("it passed before")));
    group.finish();
    check(hash, expected)?;
    let iterations = SAMPLE.as_nanos().div_ceil(once.as_nanos());
    eprintln!("{}", median((0..samples).map(|_| chunk(&mut row, iterations))));
    Ok(())
}

/// The nanoseconds of an iteration.
fn chunk(row: &mut Row, iterations: u128) -> f64 {
    let start = Instant::now();
    for _ in 0..iterations {
        row.iterate().expect("it passed before");
    }
    start.elapsed().as_nanos() as f64 / iterations as f64
}

fn median(times: impl Iterator<Item = f64>) -> f64 {
    let mut times: Vec<_> = times.collect();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

fn check(hash: u32, expected: &str) -> Result {
    match format!("{hash:08x}") {
        found if found == expected => Ok(()),
        found => Err(format!("an iteration gives the hash {found} in place of {expected}").into()),
    }
}
