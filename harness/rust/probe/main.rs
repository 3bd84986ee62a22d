//! The program that the probe of a contender is, in the place of its worker: `probe` is the contender's probe.rs.

#[path = "../../../harness/rust/probe/fidelity.rs"]
mod fidelity;
mod probe;

fn main() {
    fidelity::serve();
}
