//! The worker: answers the orchestrator's lines (docs/protocol.md) and decides nothing itself.

const std = @import("std");
const builtin = @import("builtin");
const contender = @import("contender");
/// What the builder says: `language`, `test_name`, `flags`, `package_version`, and the row's macros.
const options = @import("options");
const serbench = @import("serbench");
const libc = serbench.libc;
const heap = serbench.heap;
const clock = @import("clock.zig");
const message = @import("message.zig");
const workspace = @import("workspace.zig");
const Message = message.Message;

const protocol = 1;
const max_chunks = 100_000;
const from_tree = std.mem.eql(u8, options.test_name, "write");
const writes = from_tree or std.mem.eql(u8, options.test_name, "serialize");
const chosen = if (writes) @import("task_write.zig") else @import("task_read.zig");
/// What a test loads beside the workspace: nothing, if the contender itself is what an iteration calls.
const source = chosen.source;
const loads = source != contender;

var reply: *libc.FILE = undefined;
var ready = false;
var recorded = false;
var set_up = false;

fn put(text: [*:0]const u8) void {
    _ = libc.fputs(text, reply);
}

fn refuse(reason: []const u8) void {
    put("{\"ok\":false,\"error\":");
    message.writeText(reply, reason);
    put("}\n");
}

fn describe() void {
    const version: []const u8 = contender.library_version;
    _ = libc.fprintf(reply, "{\"ok\":true,\"protocol\":%d", @as(c_int, protocol));
    const fields = .{
        .{ ",\"language\":", options.language },
        .{ ",\"test\":", options.test_name },
        .{ ",\"library_version\":", if (version.len > 0) version else options.package_version },
        .{ ",\"compiler\":", "zig " ++ builtin.zig_version_string },
        .{ ",\"flags\":", options.flags },
    };
    inline for (fields) |field| {
        put(field[0]);
        message.writeText(reply, field[1]);
    }
    put("}\n");
}

fn prepare(request: *const Message) void {
    ready = false;
    recorded = false;
    chosen.forgetRecord();
    if (loads) source.forget();
    const input = request.text("input", "");
    if (input.len == 0 and !from_tree) return refuse("a reader needs an input");
    const padding: usize = @intCast(request.number("padding", 1));
    const messages = request.number("messages", 0) != 0;
    const words = request.text("words", "");
    if (!workspace.load(request.text("tape", ""), input, words, padding, messages))
        return refuse(workspace.reason);
    if (!set_up) {
        if (request.number("fragment", 1) != 0) @import("fragment.zig").fragment();
        if (@hasDecl(contender, "setup")) contender.setup() catch |why| {
            _ = workspace.failed(why);
            return refuse(workspace.reason);
        };
    }
    set_up = true;
    if (loads) source.prepare(request) catch |why| {
        _ = workspace.failed(why);
        return refuse(workspace.reason);
    };
    ready = true;
    put("{\"ok\":true}\n");
}

fn verify(request: *const Message) void {
    if (!chosen.verify(request.text("output", ""), reply)) refuse(workspace.reason);
}

fn putList(name: [*:0]const u8, values: []const u64) void {
    _ = libc.fprintf(reply, ",\"%s\":[", name);
    for (values, 0..) |value, i|
        _ = libc.fprintf(reply, "%s%llu", @as([*:0]const u8, if (i == 0) "" else ","), value);
    put("]");
}

fn sample(request: *const Message) void {
    timed(request, &chosen.iterate);
}

/// Times what the harness itself does in an iteration, and nothing else.
fn overhead(request: *const Message) void {
    recorded = recorded or chosen.record();
    if (recorded) timed(request, &chosen.overhead) else refuse(workspace.reason);
}

fn timed(request: *const Message, iteration: clock.Iteration) void {
    const chunks = request.number("chunks", 1);
    if (chunks < 1 or chunks > max_chunks) return refuse("a sample has 1 to 100,000 chunks");
    const block = libc.calloc(2 * chunks, @sizeOf(u64)) orelse return refuse("out of memory");
    defer libc.free(block);
    const times: [*]u64 = @ptrCast(@alignCast(block));
    const wall = times[0..chunks];
    const cpu = times[chunks .. 2 * chunks];
    if (!clock.repeat(iteration, request.number("warmup", 0))) return refuse(workspace.reason);
    const before = clock.pageFaults(); // a system call, as the one behind: outside of all chunks
    if (!clock.timeChunks(iteration, request.number("iterations", 1), wall, cpu))
        return refuse(workspace.reason);
    const faults = clock.pageFaults() - before;
    _ = libc.fprintf(reply, "{\"ok\":true,\"hash\":\"%08x\"", workspace.work.hash);
    putList("wall", wall);
    putList("cpu", cpu);
    _ = libc.fprintf(reply, ",\"page_faults\":%llu}\n", faults);
}

fn count(request: *const Message) void {
    if (!clock.countedRegion(&chosen.iterate, request.number("iterations", 1))) return refuse(workspace.reason);
    _ = libc.fprintf(reply, "{\"ok\":true,\"hash\":\"%08x\"}\n", workspace.work.hash);
}

fn countHeap() void {
    if (!heap.find()) return put("{\"ok\":true,\"allocations\":null,\"bytes\":null,\"peak\":null}\n");
    // What a library allocates once and keeps is not one iteration's.
    if (!chosen.iterate()) return refuse(workspace.reason);
    heap.start();
    const ok = chosen.iterate();
    const counts = heap.stop();
    if (!ok) return refuse(workspace.reason);
    _ = libc.fprintf(
        reply,
        "{\"ok\":true,\"allocations\":%llu,\"bytes\":%llu,\"peak\":%llu}\n",
        counts.allocations,
        counts.bytes,
        counts.peak,
    );
}

/// Answers one line; false when it was the last.
fn answer(line: []u8) bool {
    const request = Message.parse(line) catch Message{};
    const what = request.text("do", "");
    const needs_data = .{
        .{ "verify", &verify },
        .{ "sample", &sample },
        .{ "overhead", &overhead },
        .{ "count", &count },
    };
    if (message.same(what, "quit")) return false;
    if (message.same(what, "describe")) {
        describe();
    } else if (message.same(what, "prepare")) {
        prepare(&request);
    } else if (message.same(what, "heap")) {
        if (ready) countHeap() else refuse("nothing is prepared");
    } else inline for (needs_data) |known| {
        if (message.same(what, known[0])) {
            if (ready) known[1](&request) else refuse("nothing is prepared");
            break;
        }
    } else refuse("unknown request");
    return libc.fflush(reply) == 0;
}

pub export fn main() callconv(.c) c_int {
    heap.keepFreedMemory();
    // The protocol keeps standard output to itself: what a library prints goes to standard error.
    const descriptor = libc.dup(1);
    if (descriptor < 0 or libc.dup2(2, 1) < 0) return 1;
    reply = libc.fdopen(descriptor, "w") orelse return 1;
    _ = libc.prctl(libc.PR_SET_PDEATHSIG, libc.SIGKILL);
    var line: ?[*]u8 = null;
    var capacity: usize = 0;
    while (true) {
        const size = libc.getline(&line, &capacity, libc.stdin);
        if (size <= 0 or !answer(line.?[0..@intCast(size)])) break;
    }
    libc.free(line);
    chosen.forgetRecord();
    if (loads) source.forget();
    workspace.forget();
    return if (libc.fclose(reply) == 0) 0 else 1;
}
