//! Base64, in which lines have bytes.

const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

pub fn encode(data: &[u8]) -> String {
    let mut text = String::new();
    for group in data.chunks(3) {
        let mut bytes = [0; 4];
        bytes[1..=group.len()].copy_from_slice(group);
        let bits = u32::from_be_bytes(bytes);
        for place in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * place)) as usize & 63];
            text.push(if place > group.len() { '=' } else { digit.into() });
        }
    }
    text
}

/// The bytes; None for a text that has other characters.
pub fn decode(text: &[u8]) -> Option<Vec<u8>> {
    let mut data = Vec::new();
    let [mut bits, mut known] = [0u32; 2];
    for digit in text.iter().take_while(|&&digit| digit != b'=') {
        bits = bits << 6 | u32::try_from(DIGITS.iter().position(|each| each == digit)?).ok()?;
        known += 6;
        if known >= 8 {
            known -= 8;
            data.push((bits >> known) as u8);
            bits &= (1 << known) - 1;
        }
    }
    Some(data)
}
