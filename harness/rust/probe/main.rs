//! The program that the probe of a contender is, in the place of its worker: `probe` is the contender's probe.rs, and
//! `harness` a link to this folder.

#[path = "harness/fidelity.rs"]
mod fidelity;
mod probe;

fn main() {
    fidelity::serve();
}
