//! For the probe of fidelity: writes as main.rs does, and reads into types that a program names.

use serde::{Serialize, de::DeserializeOwned};
use simd_json::Error;

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    simd_json::to_vec(value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, Error> {
    // It overwrites what it reads.
    simd_json::from_slice(&mut data.to_vec())
}
