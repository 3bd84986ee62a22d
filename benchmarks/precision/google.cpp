// The harness's own iteration of one row, timed by Google Benchmark in place of the harness.
//     google TAPE INPUT PADDING [Google Benchmark's options]
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>

extern "C" {
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

int main(int argc, char **argv) {
    char error[512];
    if (argc < 4 || !sb_workspace_load(argv[1], argv[2], std::strtoul(argv[3], nullptr, 10), false, error,
                                       sizeof error)) {
        (void)std::fprintf(stderr, "%s\n", argc < 4 ? "google TAPE INPUT PADDING" : error);
        return 2;
    }
    sb_root_is_array = sb_work.messages[0].type == SB_ARRAY;
    sb_fragment_heap();
    if (!sb_setup()) return 1;
    argv[3] = argv[0];
    argc -= 3;
    argv += 3;
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}
