const std = @import("std");

/// A chain of steps of which none can begin before the last one has ended.
pub fn takeSteps(count: u64) void {
    var x = count;
    for (0..count) |_| {
        x = x *% 6364136223846793005 +% 1442695040888963407;
        x = asm volatile (""
            : [y] "=r" (-> u64),
            : [x] "0" (x),
        );
    }
    std.mem.doNotOptimizeAway(x);
}
