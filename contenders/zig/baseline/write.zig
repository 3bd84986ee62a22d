//! What every writer pays even if encoding cost nothing: the value tree is walked, and the smallest encoding
//! handed over.

const serbench = @import("serbench");

pub const library_version = "";

pub fn write(root: *const serbench.Value, out: *serbench.Output) !void {
    serbench.baseline.walk(root);
    out.block(serbench.baseline.input());
}
