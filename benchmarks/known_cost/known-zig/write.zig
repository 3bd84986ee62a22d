//! A writer of known cost: steps, as many as the first element says, then bytes that are there.

const serbench = @import("serbench");
const takeSteps = @import("steps.zig").takeSteps;

pub const library_version = "";

var bytes: [64000]u8 = @splat('x');

pub fn write(root: *const serbench.Value, out: *serbench.Output) !void {
    takeSteps(root.array[0].natural);
    out.block(&bytes);
}
