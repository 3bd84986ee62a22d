//! For the probe of fidelity: the same calls as in main.rs, for any type.

use std::io::Error;

use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, ciborium::ser::Error<Error>> {
    let mut data = Vec::new();
    ciborium::into_writer(value, &mut data)?;
    Ok(data)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, ciborium::de::Error<Error>> {
    ciborium::from_reader(data)
}
