//! For the probe of fidelity: writes as main.rs does, and reads into types that a program names.

use rmp_serde::{decode, encode};
use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, encode::Error> {
    rmp_serde::to_vec(value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, decode::Error> {
    rmp_serde::from_slice(data)
}
