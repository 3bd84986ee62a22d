//! For the probe of fidelity: the same calls as in main.rs, for any type.

use serde::{Serialize, de::DeserializeOwned};
use sonic_rs::Error;

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    sonic_rs::to_vec(value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, Error> {
    sonic_rs::from_slice(data)
}
