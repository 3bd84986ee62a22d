const zigpak = @import("zigpak");
const serbench = @import("serbench");

pub const library_version = "";

/// What the library's functions take for a writer.
const Writer = struct {
    out: *serbench.Output,

    pub fn write(writer: Writer, data: []const u8) error{OutOfMemory}!usize {
        try writer.out.append(data);
        return data.len;
    }
};

fn put(writer: Writer, value: *const serbench.Value) error{OutOfMemory}!void {
    _ = switch (value.*) {
        .nil => try zigpak.io.writeNil(writer),
        .boolean => |x| try zigpak.io.writeBool(writer, x),
        .negative => |x| try zigpak.io.writeInt(writer, x),
        .natural => |x| try zigpak.io.writeInt(writer, x),
        .double => |x| try zigpak.io.writeFloat(writer, x),
        .string => |x| try zigpak.io.writeString(writer, x),
        .array => |items| {
            _ = try zigpak.io.writeArrayPrefix(writer, @intCast(items.len));
            for (items) |*item| try put(writer, item);
        },
        .map => |members| {
            _ = try zigpak.io.writeMapPrefix(writer, @intCast(members.len));
            for (members) |*member| {
                _ = try zigpak.io.writeString(writer, member.key);
                try put(writer, &member.value);
            }
        },
    };
}

pub fn write(root: *const serbench.Value, out: *serbench.Output) !void {
    try put(.{ .out = out }, root);
}
