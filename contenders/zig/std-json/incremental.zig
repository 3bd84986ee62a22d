const std = @import("std");
const serbench = @import("serbench");

pub const library_version = @import("builtin").zig_version_string;

fn hashNumber(text: []const u8, hash: *serbench.Hash) !void {
    if (!std.json.isNumberFormattedLikeAnInteger(text)) {
        hash.double(try std.fmt.parseFloat(f64, text));
    } else if (text[0] == '-') {
        hash.signed(try std.fmt.parseInt(i64, text, 10));
    } else {
        hash.unsigned(try std.fmt.parseInt(u64, text, 10));
    }
}

/// A string with an escape in it comes in a block of its own, which is the caller's to free.
fn hashToken(scanner: *std.json.Scanner, token: std.json.Token, hash: *serbench.Hash) anyerror!void {
    switch (token) {
        .null => hash.nil(),
        .true => hash.boolean(true),
        .false => hash.boolean(false),
        .number => |text| try hashNumber(text, hash),
        .string => |text| hash.string(text),
        .allocated_string => |text| {
            defer serbench.allocator.free(text);
            hash.string(text);
        },
        .array_begin, .object_begin => try hashContainer(scanner, token == .object_begin, hash),
        else => return error.SyntaxError,
    }
}

fn hashContainer(scanner: *std.json.Scanner, object: bool, hash: *serbench.Hash) !void {
    var count: usize = 0;
    while (true) : (count += 1) {
        const token = try scanner.nextAllocMax(serbench.allocator, .alloc_if_needed, scanner.input.len);
        if (token == .array_end or token == .object_end) break;
        try hashToken(scanner, token, hash);
        if (object) try hashToken(scanner, try scanner.nextAllocMax(serbench.allocator, .alloc_if_needed, scanner.input.len), hash);
    }
    hash.count(count);
}

pub fn read(data: []u8, hash: *serbench.Hash) !void {
    var scanner = std.json.Scanner.initCompleteInput(serbench.allocator, data);
    defer scanner.deinit();
    try hashToken(&scanner, try scanner.nextAllocMax(serbench.allocator, .alloc_if_needed, scanner.input.len), hash);
    if (try scanner.next() != .end_of_document) return error.SyntaxError;
}
