//! For the probe of fidelity: writes as main.rs does, and reads into types that a program names.

use flexbuffers::{DeserializationError, FlexbufferSerializer, SerializationError};
use serde::{Serialize, de::DeserializeOwned};

pub fn encode<T: Serialize>(value: &T) -> Result<Vec<u8>, SerializationError> {
    let mut serializer = FlexbufferSerializer::new();
    value.serialize(&mut serializer)?;
    Ok(serializer.take_buffer())
}

pub fn decode<T: DeserializeOwned>(data: &[u8]) -> Result<T, DeserializationError> {
    flexbuffers::from_slice(data)
}
