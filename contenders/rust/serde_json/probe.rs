//! For the probe of fidelity: the same calls as in main.rs, for any type.

use serde::{Serialize, de::DeserializeOwned};
use serde_json::Error;

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    serde_json::to_vec(value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, Error> {
    serde_json::from_slice(data)
}
