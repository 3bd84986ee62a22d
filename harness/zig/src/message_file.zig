//! Encoded messages in one file: the eight bytes of the magic, their number, the size of each (little-endian
//! u64), then the messages one after the other.

const std = @import("std");
const libc = @import("serbench").libc;

const magic = "sbmsgs1\n";
const word = 8;
const head = 2 * word;

/// Sets `messages` to the parts of the file `data`; false if it is not a file of so many messages.
pub fn split(data: []const u8, messages: [][]const u8) bool {
    if (data.len < head or !std.mem.eql(u8, data[0..word], magic)) return false;
    if (std.mem.readInt(u64, data[word..head], .little) != messages.len) return false;
    if ((data.len - head) / word < messages.len) return false;
    var rest = data[head + messages.len * word ..];
    for (messages, 0..) |*message, i| {
        const size = std.mem.readInt(u64, data[head + i * word ..][0..word], .little);
        if (size > rest.len) return false;
        message.* = rest[0..@intCast(size)];
        rest = rest[@intCast(size)..];
    }
    return true;
}

fn put(file: *libc.FILE, value: u64) void {
    var bytes: [word]u8 = undefined;
    std.mem.writeInt(u64, &bytes, value, .little);
    _ = libc.fwrite(&bytes, 1, word, file);
}

/// Writes the head of such a file with sizes that are filled in by `putSize`.
pub fn begin(file: *libc.FILE, count: usize) void {
    _ = libc.fwrite(magic, 1, word, file);
    put(file, count);
    for (0..count) |_| put(file, 0);
}

/// Fills in the size of message `index`, and goes back to the end of the file.
pub fn putSize(file: *libc.FILE, index: usize, size: usize) void {
    _ = libc.fseek(file, @intCast(head + index * word), libc.SEEK_SET);
    put(file, size);
    _ = libc.fseek(file, 0, libc.SEEK_END);
}
