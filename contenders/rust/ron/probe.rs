//! For the probe of fidelity: writes as main.rs does, and reads into types that a program names.

use ron::Error;
use ron::error::SpannedError;
use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    Ok(ron::to_string(value)?.into_bytes())
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, SpannedError> {
    ron::de::from_bytes(data)
}
