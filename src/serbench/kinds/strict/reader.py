"""A reader that is given any bytes: what it did with them, or how its process ended."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Self

from serbench.results.probes import Ending, Library, Outcome
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
_FIXED = {**dict.fromkeys(b"ntf()", 0), **dict.fromkeys(b"iud", 8), ord("e"): 4}
"""How many bytes follow a tag in what a reader saw, if that is always the same (docs/protocol.md)."""


class Reader(Library, kw_only=True):
    """A reading row, as the probe starts it."""

    row: str
    command: tuple[str, ...]
    preload: tuple[str, ...] = ()
    digest: str
    """The digest of everything that went into its build."""
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


def strings_seen(seen: bytes) -> Iterator[bytes]:
    """The strings and keys in what a reader saw. Raises ValueError if it is damaged."""
    at = 0
    while at < len(seen):
        size = _FIXED.get(seen[at], 4)
        if seen[at] == ord("s"):
            length = int.from_bytes(seen[at + 1 : at + 5], "little")
            yield seen[at + 5 : at + 5 + length]
            size += length
        elif seen[at] not in _FIXED:
            raise ValueError(f"no tag of what a reader saw: {seen[at]:#x}")
        at += 1 + size


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

    def hands_out_utf8(self) -> bool:
        """Whether every string of the document that was just taken is UTF-8 as the reader hands it out."""
        seen = self._place.with_name(f"{self._place.name}.seen")
        try:
            assert self._worker is not None
            self._worker.ask(Verified, None, do="verify", output=str(seen))
            for text in strings_seen(seen.read_bytes()):
                text.decode()
        except WorkerFailure:  # it does not take the same again
            self.close()
            return False
        except UnicodeDecodeError:
            return False
        finally:
            seen.unlink(missing_ok=True)
        return True

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
