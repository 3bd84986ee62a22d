"""A reader that is given any bytes: what it did with them, or how its process ended."""

import re
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from serbench.probe.records import Ending, Library, Outcome
from serbench.worker.process import Limits, Refusal, Worker, WorkerFailure
from serbench.worker.session import Verified, prepare

_ENDED = re.compile(
    r"was ended by|ended (without|in)|did not (answer|take)|flooded|closed its|answered garbage"
)
_PATTERNS: tuple[tuple[str, Ending], ...] = (
    (r"did not (answer|take)", "hang"),
    (r"hard rss limit|out.of.memory|Reached heap limit|bad_alloc|allocation-size-too-big", "memory"),
    (r"AddressSanitizer: (SEGV|FPE|ILL|BUS|ABRT|stack-overflow)", "crash"),
    (r"AddressSanitizer: ", "bad access"),
    (r"runtime error: ", "undefined behaviour"),
)
_FOUND = re.compile(r"AddressSanitizer: ([\w-]+).*? in (\w+)|runtime error: ([^\n]*)")
_ADDRESS = re.compile(r"0x[0-9a-f]+")


class Reader(Library, kw_only=True):
    """A reading row, as the probe starts it."""

    row: str
    command: tuple[str, ...]
    preload: tuple[str, ...] = ()
    digest: str
    """Of everything that went into its build."""
    padding: int
    """Zero bytes that it needs after its input."""


def ending_of(failure: WorkerFailure) -> tuple[Ending, str]:
    """How a process ended, and what can be said of it without an address or a path.

    Raises the failure itself if it did not end over what it read.
    """
    if not _ENDED.search(failure.reason):
        raise failure
    told = f"{failure.reason}\n{failure.output}"
    kind: Ending = next((kind for pattern, kind in _PATTERNS if re.search(pattern, told)), "crash")
    found = _FOUND.search(failure.output) if kind not in ("hang", "memory") else None
    if found is None:
        return kind, failure.reason
    said = found[3] or f"{found[1]} in {found[2]}"
    return kind, _ADDRESS.sub("an address", said)


class Launches:
    """The process of a reader, started anew after it ended. A context manager."""

    def __init__(self, reader: Reader, command: Sequence[str], limits: Limits, place: Path) -> None:
        """`command` starts it; `place` is the file that it is given its input in."""
        self._reader = reader
        self._command = command
        self._limits = limits
        self._place = place
        self._worker: Worker | None = None

    def outcome(self, document: bytes, tape: Path, exact_hash: str) -> tuple[Outcome, str]:
        """What became of `document`, and why or how.

        `tape` has what it means, or anything of the same kind of root; with an empty `exact_hash` it is not
        asked what the reader found. Raises WorkerFailure if the reader could not even be asked.
        """
        self._place.write_bytes(document)
        try:
            if self._worker is None:
                self._worker = Worker(self._command, limits=self._limits, preload=self._reader.preload)
            prepare(self._worker, tape, self._place, self._reader.padding, fragment=False)
            answer = self._worker.attempt(Verified, None, do="verify", output="")
        except WorkerFailure as failure:
            self.close()
            return ending_of(failure)
        if isinstance(answer, Refusal):
            return "refused", answer.error
        if exact_hash and answer.exact_hash != exact_hash:
            return "changed", ""
        return "taken", ""

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
