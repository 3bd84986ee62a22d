"""What the gate remembers: that a certain program, given certain bytes, did what it did.

Programs are named by the digest of what went into their build and by the system that they run on, data by
their SHA-256, so a remembered proof is one of these very programs on this very data. A failure is not
kept. `verify` remembers nothing; `run` does, and every timed batch must still end with the hash that was
proved.
"""

import contextlib
import hashlib
import platform
from functools import cache
from pathlib import Path
from typing import TypeVar

import msgspec

from serbench.datasets.difference import Difference
from serbench.errors import UserError
from serbench.files import replace_file, sha256

MOST_OUTPUT = 4_000_000
"""Bytes of a writer's output that are kept; a larger one is written anew where its bytes are needed."""

VERSION = 4
"""Raised when what is remembered changes its meaning."""

T = TypeVar("T", bound=msgspec.Struct)


class Costs(msgspec.Struct, frozen=True, kw_only=True):
    """The library of a proof, and what the proof cost: the fields of a Verdict with these names."""

    library_version: str
    max_rss: int
    """The most memory that the worker has had, in bytes. One that had other documents before may have kept
    some of theirs: no more than `sessions.GROWTH`, or it would have been ended."""
    start_seconds: float
    """Processor time: the start of the worker, whenever that was, and loading this document."""
    iteration_seconds: float


class DidRead(Costs, frozen=True, kw_only=True):
    """What a reader found in an encoding."""

    content_hash: str
    exact_hash: str
    difference: Difference | None = None
    """From the dataset; None where both hashes are the dataset's."""


class DidWrite(Costs, frozen=True, kw_only=True):
    """What a writer wrote; its output is kept beside this, unless it is large."""

    bytes: int
    hash: str
    output_sha256: str


@cache
def system() -> str:
    """What a worker finds at run time and no build's digest covers: the kernel, libc, our own version."""
    return " ".join([str(VERSION), platform.release(), platform.machine(), *platform.libc_ver()])


class ProofCache:
    """Proofs in a folder; one without a folder remembers nothing. Its methods may run in threads."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    @staticmethod
    def key(*parts: str) -> str:
        """The name of a proof: of what was done, by which program, on which data."""
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()[:40]

    def get(self, key: str, kind: type[T]) -> T | None:
        """The proof of that name; None if there is none or it is damaged."""
        if self._folder is None:
            return None
        try:
            return msgspec.json.decode((self._folder / f"{key}.json").read_bytes(), type=kind)
        except (OSError, msgspec.DecodeError):
            return None

    def output(self, key: str, proof: DidWrite) -> Path | None:
        """The output that belongs to a proof, if it was kept and is still what it was."""
        if self._folder is None or proof.bytes > MOST_OUTPUT:
            return None
        path = self._folder / f"{key}.out"
        try:
            return path if sha256(path) == proof.output_sha256 else None
        except OSError:
            return None

    def put(self, key: str, proof: msgspec.Struct, output: Path | None = None) -> None:
        """Remember a proof and a writer's output; what cannot be kept is proved again next time."""
        if self._folder is None:
            return
        with contextlib.suppress(OSError, UserError):
            if output is not None and output.stat().st_size <= MOST_OUTPUT:
                replace_file(self._folder / f"{key}.out", output.read_bytes(), lasting=False)
            replace_file(self._folder / f"{key}.json", msgspec.json.encode(proof), lasting=False)
