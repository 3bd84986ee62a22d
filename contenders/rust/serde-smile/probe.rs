//! For the probe of fidelity: the same calls as in main.rs, for any type.

use serde::{Serialize, de::DeserializeOwned};
use serde_smile::Error;

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    serde_smile::to_vec(value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, Error> {
    serde_smile::from_slice(data)
}
