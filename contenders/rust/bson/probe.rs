//! For the probe of fidelity: writes as main.rs does, and reads into types that a program names.

use bson::error::Error;
use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, Error> {
    bson::serialize_to_vec(value)
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, Error> {
    bson::deserialize_from_slice(data)
}
