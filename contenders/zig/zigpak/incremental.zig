const zigpak = @import("zigpak");
const serbench = @import("serbench");

pub const library_version = "";

fn element(unpack: *zigpak.Unpack, hash: *serbench.Hash) !void {
    const header = try next(unpack);
    switch (header.type.family()) {
        .nil => hash.nil(),
        .bool => hash.boolean(try unpack.bool(header)),
        .int => hash.signed(try unpack.int(i64, header)),
        .uint => hash.unsigned(try unpack.int(u64, header)),
        .float => hash.double(try unpack.float(f64, header)),
        .str => hash.string(try unpack.raw(header)),
        .array => {
            for (0..header.size) |_| try element(unpack, hash);
            hash.count(header.size);
        },
        .map => {
            for (0..header.size) |_| {
                try element(unpack, hash);
                try element(unpack, hash);
            }
            hash.count(header.size);
        },
        .bin, .ext => return error.UnexpectedType,
    }
}

/// The library leaves it to its caller to see that what it is about to read is there.
fn next(unpack: *zigpak.Unpack) !zigpak.Header {
    const kind = try unpack.peek();
    if (kind.nextComponentSize() > unpack.rest.len - 1) return error.EndOfInput;
    const header = unpack.next(kind);
    const family = header.type.family();
    if (family != .array and family != .map and header.size > unpack.rest.len) return error.EndOfInput;
    return header;
}

pub fn read(data: []u8, hash: *serbench.Hash) !void {
    var unpack = zigpak.Unpack.init(data);
    try element(&unpack, hash);
    if (unpack.rest.len != 0) return error.BytesFollow;
}
