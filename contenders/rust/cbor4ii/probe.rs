//! For the probe of fidelity: writes as main.rs does, and reads into types that a program names.

use std::fmt::Display;

use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, impl Display> {
    cbor4ii::serde::to_vec(Vec::new(), value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, impl Display> {
    cbor4ii::serde::from_slice(data)
}
