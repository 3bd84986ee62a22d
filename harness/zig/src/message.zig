//! The worker's side of the protocol's lines: flat JSON objects of strings, whole numbers and booleans.

const libc = @import("serbench").libc;

const Field = struct {
    name: [:0]const u8,
    /// Null for a number or a boolean.
    text: ?[:0]const u8 = null,
    /// 1 or 0 for a boolean.
    number: u64 = 0,
};

const Malformed = error{Malformed};

pub const Message = struct {
    fields: [16]Field = undefined,
    count: usize = 0,

    /// Takes `line`, which is changed, apart.
    pub fn parse(line: []u8) Malformed!Message {
        var message: Message = .{};
        var at: Cursor = .{ .line = line };
        try at.expect('{');
        if (!at.skip('}')) {
            while (true) {
                if (message.count == message.fields.len) return error.Malformed;
                message.fields[message.count] = try at.field();
                message.count += 1;
                if (at.skip('}')) break;
                try at.expect(',');
            }
        }
        if (at.peek() != null) return error.Malformed;
        return message;
    }

    fn find(message: *const Message, name: []const u8, textual: bool) ?Field {
        for (message.fields[0..message.count]) |field| {
            if (same(field.name, name) and (field.text != null) == textual) return field;
        }
        return null;
    }

    /// The field's value, or `otherwise` when there is no such field of that kind.
    pub fn text(message: *const Message, name: []const u8, otherwise: [:0]const u8) [:0]const u8 {
        return (message.find(name, true) orelse return otherwise).text.?;
    }

    pub fn number(message: *const Message, name: []const u8, otherwise: u64) u64 {
        return (message.find(name, false) orelse return otherwise).number;
    }
};

pub fn same(a: []const u8, b: []const u8) bool {
    if (a.len != b.len) return false;
    for (a, b) |x, y| {
        if (x != y) return false;
    }
    return true;
}

const Cursor = struct {
    line: []u8,
    at: usize = 0,

    /// The next byte that is no white space; null at the end.
    fn peek(cursor: *Cursor) ?u8 {
        while (cursor.at < cursor.line.len) : (cursor.at += 1) {
            switch (cursor.line[cursor.at]) {
                ' ', '\t', '\r', '\n' => {},
                else => |byte| return byte,
            }
        }
        return null;
    }

    fn skip(cursor: *Cursor, byte: u8) bool {
        if (cursor.peek() != byte) return false;
        cursor.at += 1;
        return true;
    }

    fn expect(cursor: *Cursor, byte: u8) Malformed!void {
        if (!cursor.skip(byte)) return error.Malformed;
    }

    fn word(cursor: *Cursor, wanted: []const u8) bool {
        const rest = cursor.line[cursor.at..];
        if (rest.len < wanted.len or !same(rest[0..wanted.len], wanted)) return false;
        cursor.at += wanted.len;
        return true;
    }

    /// Undoes the escapes that stand for one byte each; the orchestrator sends UTF-8 and needs no others.
    fn string(cursor: *Cursor) Malformed![:0]const u8 {
        try cursor.expect('"');
        const start = cursor.at;
        var to = start;
        while (cursor.at < cursor.line.len) : (cursor.at += 1) {
            var byte = cursor.line[cursor.at];
            if (byte == '"') {
                cursor.line[to] = 0;
                cursor.at += 1;
                return cursor.line[start..to :0];
            }
            if (byte == 0) break;
            if (byte == '\\') {
                cursor.at += 1;
                if (cursor.at == cursor.line.len) break;
                byte = switch (cursor.line[cursor.at]) {
                    '"', '\\', '/' => |same_byte| same_byte,
                    'b' => 8,
                    'f' => 12,
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    else => return error.Malformed,
                };
            }
            cursor.line[to] = byte;
            to += 1;
        }
        return error.Malformed;
    }

    fn digits(cursor: *Cursor) Malformed!u64 {
        const start = cursor.at;
        var number: u64 = 0;
        while (cursor.at < cursor.line.len) : (cursor.at += 1) {
            const digit = cursor.line[cursor.at] -% '0';
            if (digit > 9) break;
            if (number > (~@as(u64, 0) - digit) / 10) return error.Malformed;
            number = number * 10 + digit;
        }
        return if (cursor.at > start) number else error.Malformed;
    }

    fn field(cursor: *Cursor) Malformed!Field {
        var result: Field = .{ .name = try cursor.string() };
        try cursor.expect(':');
        if (cursor.peek() == '"') {
            result.text = try cursor.string();
        } else if (cursor.word("true")) {
            result.number = 1;
        } else if (!cursor.word("false")) {
            result.number = try cursor.digits();
        }
        return result;
    }
};

/// Writes `text` as a JSON string with its quotes.
pub fn writeText(file: *libc.FILE, text: []const u8) void {
    _ = libc.fputc('"', file);
    for (text) |byte| {
        if (byte == '"' or byte == '\\') {
            _ = libc.fprintf(file, "\\%c", @as(c_int, byte));
        } else if (byte < 0x20 or byte >= 0x7f) { // a library's text may be in any encoding: bytes as Latin-1
            _ = libc.fprintf(file, "\\u%04x", @as(c_uint, byte));
        } else {
            _ = libc.fputc(byte, file);
        }
    }
    _ = libc.fputc('"', file);
}
