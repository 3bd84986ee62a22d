"""A worker: a child process that answers JSON lines."""

import contextlib
import os
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from serbench.errors import shortened
from serbench.worker.bounds import resource_limits
from serbench.worker.conversation import Conversation, WorkerFailure

__all__ = ["Described", "Limits", "Reply", "Worker", "WorkerFailure", "pooled"]

TIMEOUT_PER_MB = 2.0
"""Seconds that an answer may take longer for each megabyte of data."""

R = TypeVar("R", bound="Reply")


class Reply(msgspec.Struct):
    """What every answer has."""

    ok: bool
    error: str = ""


class Refusal(msgspec.Struct, frozen=True):
    """What a worker will not do, in its own words."""

    error: str


class Described(Reply):
    """The answer to `describe`."""

    protocol: int = 0
    language: str = ""
    test: str = ""
    library_version: str = ""
    compiler: str = ""
    flags: str = ""


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker may use."""

    memory_bytes: int | None = None
    """Private writable memory (RLIMIT_DATA)."""
    timeout: float = 60.0
    """Seconds for one answer, unless a request says otherwise; waiting for a processor does not count."""

    def on(self, data_bytes: int) -> "Limits":
        """The limits of a worker that handles `data_bytes` of data: large data take longer."""
        return msgspec.structs.replace(
            self, timeout=self.timeout + TIMEOUT_PER_MB * (data_bytes // 1_000_000)
        )


def _environment(preload: Sequence[str | Path]) -> dict[str, str]:
    # Small and the same in every launch: the size of the environment moves the stack, and so the times.
    environment = {"PATH": os.environ.get("PATH", os.defpath), "LC_ALL": "C.UTF-8"}
    if preload:
        environment["LD_PRELOAD"] = ":".join(map(str, preload))
    return environment


def _decoded(line: bytes, kind: type[R]) -> R | None:
    """Return an answer as a record of `kind`; None for one that is not."""
    try:
        return msgspec.json.decode(line, type=kind)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None


_live: "weakref.WeakSet[Worker]" = weakref.WeakSet()


@contextlib.contextmanager
def pooled(jobs: int) -> Iterator[ThreadPoolExecutor]:
    """Threads that wait for workers; when the block ends by an exception, Ctrl-C too, no worker goes on."""
    with ThreadPoolExecutor(jobs) as pool:
        try:
            yield pool
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in list(_live):
                worker.kill()
            raise


class Worker(Conversation):
    """A running worker."""

    def __init__(
        self,
        command: Sequence[str],
        *,
        limits: Limits | None = None,
        cpu: int | None = None,
        preload: Sequence[str | Path] = (),
    ) -> None:
        """Start `command`, pinned to `cpu`, with the libraries `preload` before the system's.

        Raises WorkerFailure if it cannot be started.
        """
        self.limits = limits or Limits()
        bounds = resource_limits(self.limits.memory_bytes)
        super().__init__(command, _environment(preload), limits=bounds, cpu=cpu)
        _live.add(self)

    def ask(self, kind: type[R], timeout: float | None = None, /, **message: Any) -> R:
        """Send `message` (its field `do` is the request) and return the answer as a record of `kind`.

        Raises WorkerFailure if the worker refuses, ends, does not answer within `timeout` seconds (the
        limits' own if None), writes too much, or answers something else.
        """
        reply = self.attempt(kind, timeout, **message)
        if isinstance(reply, Refusal):
            raise self.failure(reply.error or "refused without a reason")
        return reply

    def attempt(self, kind: type[R], timeout: float | None = None, /, **message: Any) -> R | Refusal:
        """As `ask`, but what the worker refuses is returned, and the worker goes on."""
        seconds = self.limits.timeout if timeout is None else timeout
        said = self.exchange(msgspec.json.encode(message) + b"\n", seconds)
        line = said.decode("utf-8", "replace").encode()  # A library's message may be in any encoding.
        reply = _decoded(line, kind)
        refusal = reply or _decoded(line, Reply)
        if refusal is not None and not refusal.ok:
            return Refusal(error=shortened(refusal.error))
        if reply is None:
            raise self.failure(f"answered garbage: {line[:80].decode('utf-8', 'replace')!r}")
        for name in reply.__struct_fields__:
            text = getattr(reply, name)
            if isinstance(text, str):
                setattr(reply, name, shortened(text))
        return reply
