//! For the probe of fidelity: writes as main.rs does, and reads into types that a program names.

use serde::{Serialize, de::DeserializeOwned};
use serde_pickle::{DeOptions, Error, SerOptions};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    serde_pickle::to_vec(value, SerOptions::new())
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, Error> {
    serde_pickle::from_slice(data, DeOptions::new())
}
