"""The protocol's requests as functions of a worker."""

import time
from pathlib import Path
from typing import Literal

from serbench.records import Natural, Whole
from serbench.worker.process import Described, Reply, Worker
from serbench.worker.records import Heap

PROTOCOL = 1


class Verified(Reply):
    """The answer to `verify`: hashes from a reader, bytes and their hash from a writer."""

    content_hash: str = ""
    exact_hash: str = ""
    bytes: Whole | None = None
    hash: str = ""


class Sampled(Reply):
    """The answer to `sample`: nanoseconds of every chunk, and the minor page faults of all of them.

    A language that compiles while it runs also tells the nanoseconds that its compiler worked meanwhile,
    with the untimed iterations.
    """

    wall: list[Whole] = []
    cpu: list[Whole] = []
    page_faults: Natural | None = None
    compiled: Whole | None = None
    hash: str = ""


class CountReply(Reply):
    """The answer to `count`."""

    hash: str = ""


class HeapReply(Reply):
    """The answer to `heap`; nulls where it cannot be known."""

    allocations: Whole | None = None
    bytes: Whole | None = None
    peak: Whole | None = None


def describe(worker: Worker) -> Described:
    """What the worker says of itself. Raises WorkerFailure if it speaks another protocol."""
    described = worker.ask(Described, do="describe")
    if described.protocol != PROTOCOL:
        raise worker.failure(f"speaks protocol {described.protocol}, not {PROTOCOL}")
    return described


def prepare(
    worker: Worker,
    tape: Path,
    input_file: Path | None,
    padding: int,
    fragment: bool = True,
    messages: bool = False,
    words: Path | None = None,
    paths: Path | None = None,
) -> None:
    """Load the value tree and the encoded input (None for a writer that needs none).

    With `messages` the root's elements are handled one by one, and inputs and outputs are framed files.
    `words` are those that exact_hash mixes, which the baseline of a reader hashes.
    A worker that looks values up gets the tape of their `paths`, and of the values as its tree.
    """
    message = {"do": "prepare", "tape": str(tape), "padding": padding, "fragment": fragment}
    if messages:
        message["messages"] = True
    if paths is not None:
        message["paths"] = str(paths)
    if input_file is not None:
        message["input"] = str(input_file)
    if words is not None:
        message["words"] = str(words)
    worker.ask(Reply, None, **message)


def verify(worker: Worker, output: Path | None = None) -> Verified:
    """One iteration that shows its result; a writer leaves its bytes at `output`, a reader what it saw."""
    return worker.ask(Verified, None, do="verify", output=str(output or ""))


def sample(
    worker: Worker,
    iterations: int,
    chunks: int,
    warmup: int,
    timeout: float | None = None,
    believe: bool = False,
    do: Literal["sample", "overhead"] = "sample",
) -> Sampled:
    """Time `chunks` chunks of `iterations` iterations each, after `warmup` untimed ones.

    To `do` the overhead is to time what the harness itself does in an iteration, and nothing else.

    Raises WorkerFailure for times that cannot be: negative ones, or, unless told to `believe` them, more than
    has passed since the request.
    """
    asked = time.monotonic_ns()
    sampled = worker.ask(Sampled, timeout, do=do, iterations=iterations, chunks=chunks, warmup=warmup)
    if len(sampled.wall) != chunks or len(sampled.cpu) != chunks:
        raise worker.failure(f"timed {len(sampled.wall)} chunks where {chunks} were asked for")
    if any(wall < 0 for wall in sampled.wall):
        raise worker.failure("reported a negative time")
    if not believe and sum(sampled.wall) > time.monotonic_ns() - asked:
        raise worker.failure("reported more time than has passed")
    return sampled


def heap(worker: Worker) -> Heap:
    """What one iteration requests of the heap, when the counting library is preloaded."""
    counted = worker.ask(HeapReply, None, do="heap")
    # A difference of two readings, as in a garbage-collected language, may come out below nothing: not known.
    requested = counted.bytes if counted.bytes is not None and counted.bytes >= 0 else None
    return Heap(allocations=counted.allocations, bytes=requested, peak=counted.peak)


def count(worker: Worker, iterations: int, expected: str) -> None:
    """Run that many iterations inside the region that an instruction counter is toggled around.

    Raises WorkerFailure if the last iteration's hash is not `expected`.
    """
    found = worker.ask(CountReply, None, do="count", iterations=iterations).hash
    if expected and found != expected:
        raise worker.failure(f"a counted iteration gave the hash {found} where {expected} is right")
