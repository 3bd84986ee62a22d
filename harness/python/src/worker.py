"""The worker: answers the orchestrator's lines (docs/protocol.md) and decides nothing itself.

    python worker.py CORE MODULE TEST GC PACKAGES DISTRIBUTION [CLASSES]

CORE is the folder of the extension module, MODULE the contender's file, GC `on` or `off`. PACKAGES is the
folder with the library, and DISTRIBUTION its name there; both are empty for what Python itself has. CLASSES
is the folder with the classes that were generated from a schema.
"""

import gc
import importlib.metadata
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

PROTOCOL = 1

core_folder, module_path, test, collection, packages, distribution, *generated = sys.argv[1:]
# Behind the standard library: no file of ours or of a library stands in for one of its modules.
sys.path += [core_folder, *filter(None, [packages]), *generated, str(Path(__file__).parents[3])]

from harness.python.src import loading  # noqa: E402 - it is found by the path above
from harness.python.src.frame import frame, unframe  # noqa: E402
from harness.python.src.lines import Refusal, serve  # noqa: E402
from harness.python.src.objects import Classes  # noqa: E402

core: Any = importlib.import_module("serbench_core")


class Prepared:
    """What `prepare` loaded."""

    def __init__(self, task: Any, framed: bool) -> None:
        self.task = task
        self.framed = framed


contender: ModuleType
classes: Classes | None = None
prepared: Prepared | None = None
fragmented = False


def describe(_message: dict[str, Any]) -> dict[str, Any]:
    """Protocol, language and versions."""
    version = importlib.metadata.version(distribution) if distribution else sys.version.split()[0]
    own = getattr(contender, "library_version", None)
    shown = own(version) if own else version
    # Python turns the lock on for good when it imports an extension that does not say it can do without.
    if sys.version_info >= (3, 13) and "t" in sys.abiflags and sys._is_gil_enabled():
        shown += " (turned the GIL on)"
    return {
        "protocol": PROTOCOL,
        "language": "python",
        "test": test,
        "library_version": shown,
        "compiler": f"{sys.implementation.name} {sys.version}",
        "flags": "gc off" if collection == "off" else "gc on",
    }


def prepare(message: dict[str, Any]) -> dict[str, Any]:
    """Load the data; from now on the collector does not look at what is there."""
    global prepared, fragmented
    prepared = None
    gc.unfreeze()
    source = message.get("input", "")
    if not source and test != "write":
        raise Refusal("a reader needs an input")
    framed = bool(message.get("messages", False))
    root = core.read_tape(message["tape"])
    if framed and not (isinstance(root, list) and root):
        raise Refusal(f"the tape {message['tape']} has no messages")
    roots = root if framed else [root]
    inputs = _parts(source, framed, len(roots))
    words = _parts(message.get("words", ""), framed, len(roots))
    looks_up = message.get("paths", "")
    found = core.read_tape(looks_up) if looks_up else None
    paths = [None] * len(roots) if found is None else found if framed else [found]
    works = [
        loading.Work(each, inputs[i], words[i], isinstance(each, list) and not looks_up)
        for i, each in enumerate(roots)
    ]
    if message.get("fragment", True) and not fragmented:
        core.fragment_heap()
        fragmented = True
    task = loading.task_of(core, contender, test, works, paths, classes)
    del root, roots
    gc.collect()
    gc.freeze()
    if collection == "off":
        gc.disable()
    prepared = Prepared(task, framed)
    return {}


def _parts(path: str, framed: bool, count: int) -> list[bytes]:
    """The file at `path`, or each message in it; empty ones without a path."""
    if not path:
        return [b""] * count
    whole = Path(path).read_bytes()
    parts = unframe(whole) if framed else [whole]
    if len(parts) != count:
        raise Refusal("the input has another number of messages than the tape")
    return parts


def verify(message: dict[str, Any]) -> dict[str, Any]:
    """The hashes of a reader, or what a writer left at `output`."""
    now, output = _ready(), message.get("output", "")
    if loading.reads(test):
        content, exact = now.task.hashes(output)
        return {"content_hash": f"{content:08x}", "exact_hash": f"{exact:08x}"}
    outputs = now.task.outputs()
    Path(output).write_bytes(frame(outputs) if now.framed else outputs[0])
    return {"bytes": sum(map(len, outputs)), "hash": f"{now.task.count(1):08x}"}


def sample(message: dict[str, Any]) -> dict[str, Any]:
    """The times of some chunks."""
    return _timed(_ready().task.sample, message)


def overhead(message: dict[str, Any]) -> dict[str, Any]:
    """The times of some chunks of what the harness itself does in an iteration, and nothing else."""
    return _timed(_ready().task.overhead, message)


def _timed(what: Callable[..., tuple[Any, ...]], message: dict[str, Any]) -> dict[str, Any]:
    asked = (message.get("iterations", 1), message.get("chunks", 1), message.get("warmup", 0))
    wall, cpu, faults, state = what(*asked)
    return {"wall": wall, "cpu": cpu, "page_faults": faults, "hash": f"{state:08x}"}


def count(message: dict[str, Any]) -> dict[str, Any]:
    """So many iterations without a clock."""
    return {"hash": f"{_ready().task.count(message.get('iterations', 1)):08x}"}


def heap(_message: dict[str, Any]) -> dict[str, Any]:
    """What one iteration allocates, without the collector, which would come at any time."""
    gc.disable()
    counts = _ready().task.heap() or (None, None, None)
    return dict(zip(("allocations", "bytes", "peak"), counts, strict=True))


def _ready() -> Prepared:
    if prepared is None:
        raise Refusal("nothing is prepared")
    return prepared


REQUESTS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    each.__name__: each for each in (describe, prepare, verify, sample, overhead, count, heap)
}


def load() -> None:
    """Load the contender. Raises whatever it raises."""
    global contender, classes
    contender = loading.load(module_path)
    for folder in generated:
        table = Path(folder, "serbench_document.json")
        classes = Classes(core, importlib.import_module("serbench_document"), table)


sys.setrecursionlimit(loading.RECURSION)
serve(REQUESTS, load)
