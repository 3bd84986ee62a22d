"""The iterations of a row in Python, timed by pyperf in a process of its own; started by its `__main__`.

SERBENCH_TASK in the environment has the paths of what an iteration needs, as JSON. Behind pyperf's values the
process times chunks as the worker does, and leaves their mean, in nanoseconds an iteration, at `chunks`.
"""

import gc
import importlib
import json
import os
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

given = json.loads(os.environ["SERBENCH_TASK"])
sys.path += [given["core"], *filter(None, [given["packages"]]), given["root"]]

import pyperf  # noqa: E402 - it is found by the path above, as the harness is
from harness.python.src import loading  # noqa: E402


def task() -> Any:
    """The harness's own task: the copy, the call of the library, the walk and the hash."""
    core: Any = importlib.import_module("serbench_core")
    root = core.read_tape(given["tape"])
    source = Path(given["input"]).read_bytes() if given["input"] else b""
    work = SimpleNamespace(root=root, input=source, words=b"", root_is_array=isinstance(root, list))
    made = loading.task_of(core, loading.load(given["module"]), given["test"], [work], [None])
    core.fragment_heap()
    if f"{made.count(1):08x}" != given["expected"]:
        raise ValueError("the iterations give another hash")
    return made


sys.setrecursionlimit(loading.RECURSION)
made = task()
iterate = made.count
gc.collect()
gc.freeze()


def timed(loops: int) -> float:
    """The seconds of so many iterations, by pyperf's clock and a loop in Python."""
    start = pyperf.perf_counter()
    for _ in range(loops):
        iterate(1)
    return pyperf.perf_counter() - start


runner = pyperf.Runner()
runner.bench_time_func(given["name"], timed)
if runner.args.worker:
    iterations, chunks = 20, 10
    (wall, *_) = made.sample(iterations, chunks, 1)
    Path(given["chunks"]).write_text(json.dumps(sum(wall) / (iterations * chunks)), "utf-8")
