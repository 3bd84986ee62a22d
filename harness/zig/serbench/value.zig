//! The value tree: what a write contender is given, and what the baseline walks. Nothing in it is ever
//! changed or freed by a contender. Strings and keys are UTF-8 and may contain NUL.

pub const Value = union(enum) {
    nil,
    boolean: bool,
    /// Always negative: an integer that is not is `natural`.
    negative: i64,
    natural: u64,
    double: f64,
    string: []const u8,
    array: []const Value,
    map: []const Member,
};

pub const Member = struct {
    key: []const u8,
    value: Value,
};
