//! For the probe of fidelity: the same calls as in main.rs, for any type.

use pot::Error;
use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    pot::to_vec(value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, Error> {
    pot::from_slice(data)
}
