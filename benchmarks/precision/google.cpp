// The harness's own iteration of one row, timed by Google Benchmark, and in the same process by the harness's
// clock and loop: its chunks go to standard error, a line with the last hash and one with each chunk's
// nanoseconds.
//     google TAPE INPUT PADDING ITERATIONS CHUNKS before|after [Google Benchmark's options]
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

extern "C" {
#include "clock.h"
#include "fragment.h"
#include "task.h"

bool sb_setup(void);
// Of readers of roots that cannot be arrays; worker.c has it otherwise.
bool sb_root_is_array;
}

static void iterate(benchmark::State &state) {
    // Volatile, as in the harness's own loop.
    bool (*volatile opaque)(void *) = sb_task_iterate;
    bool ok = true;
    for (auto _ : state) ok &= opaque(nullptr);
    if (!ok) state.SkipWithError(sb_failure());
    state.counters["hash"] = sb_work.hash;
}
BENCHMARK(iterate)->UseRealTime();

// Chunks as a turn has them: untimed iterations first, here as many as five chunks have.
static bool time_chunks(uint64_t iterations, uint64_t count) {
    std::vector<uint64_t> wall(count), cpu(count);
    if (!sb_repeat(sb_task_iterate, nullptr, 5 * iterations) ||
        !sb_time_chunks(sb_task_iterate, nullptr, iterations, count, wall.data(), cpu.data()))
        return false;
    (void)std::fprintf(stderr, "hash %08x\n", sb_work.hash);
    for (uint64_t nanoseconds : wall)
        (void)std::fprintf(stderr, "chunk %llu\n", static_cast<unsigned long long>(nanoseconds));
    return true;
}

int main(int argc, char **argv) {
    const int own = 7;
    char error[512];
    sb_keep_freed_memory();
    if (argc < own || !sb_workspace_load(argv[1], argv[2], "", std::strtoul(argv[3], nullptr, 10), false,
                                         error, sizeof error)) {
        (void)std::fprintf(stderr, "%s\n",
                           argc < own ? "TAPE INPUT PADDING ITERATIONS CHUNKS before|after" : error);
        return 2;
    }
    sb_root_is_array = sb_work.messages[0].type == SB_ARRAY;
    sb_fragment_heap();
    if (!sb_setup()) return 1;
    const uint64_t iterations = std::strtoull(argv[4], nullptr, 10),
                   chunks = std::strtoull(argv[5], nullptr, 10);
    const bool before = std::strcmp(argv[6], "before") == 0;
    argv[own - 1] = argv[0];
    argc -= own - 1;
    argv += own - 1;
    benchmark::Initialize(&argc, argv);
    if (before && !time_chunks(iterations, chunks)) return 1;
    benchmark::RunSpecifiedBenchmarks();
    return before || time_chunks(iterations, chunks) ? 0 : 1;
}
