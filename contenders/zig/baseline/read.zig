//! What every reader pays even if decoding cost nothing: its values are hashed.

const serbench = @import("serbench");

pub const library_version = "";

pub fn read(_: []u8, hash: *serbench.Hash) !void {
    serbench.baseline.hashWords(hash);
}
