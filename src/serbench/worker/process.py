"""A worker: a child process that answers JSON lines."""

import contextlib
import os
import re
import selectors
import signal
import time
import weakref
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

import msgspec

from serbench.errors import Failure, shortened
from serbench.worker.bounds import resource_limits
from serbench.worker.child import Child

TIMEOUT_PER_MB = 2.0
"""Seconds that an answer may take longer for each megabyte of data."""
MAX_REPLY = 64 * 1024 * 1024
MAX_NOISE = 64 * 1024 * 1024
KEPT_NOISE = 4096

R = TypeVar("R", bound="Reply")


class Reply(msgspec.Struct):
    """What every answer has."""

    ok: bool
    error: str = ""


class Described(Reply):
    """The answer to `describe`."""

    protocol: int = 0
    language: str = ""
    test: str = ""
    library_version: str = ""
    compiler: str = ""
    flags: str = ""


class WorkerFailure(Failure):
    """A worker that refused, crashed, hung, flooded or spoke nonsense."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason, output)
        self.reason = reason  # Its own words stay as they are.


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """What a worker may use."""

    memory_bytes: int | None = None
    """Of private writable memory (RLIMIT_DATA)."""
    timeout: float = 60.0
    """Seconds for one answer, unless a request says otherwise."""
    patience: float = 1.0
    """How many times as long an answer may take by the clock on the wall, as long as the worker has had less
    than these seconds of a processor: more than 1 where a busy machine must not decide what fails."""

    def on(self, data_bytes: int) -> "Limits":
        """The limits of a worker that handles so much data: large data take longer."""
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


class _Patience:
    """How long an answer is waited for."""

    def __init__(self, worker: "Worker", seconds: float) -> None:
        self.seconds = seconds
        self._worker = worker
        now = time.monotonic()
        self._deadline = now + seconds
        self._last = now + seconds * worker.limits.patience
        self._used = worker.processor_seconds if self._last > self._deadline else 0.0

    def left(self) -> float:
        """Seconds until it is worth looking again; 0 or less when the time is up."""
        now = time.monotonic()
        if self._deadline <= now < self._last:
            left = self.seconds - (self._worker.processor_seconds - self._used)
            self._deadline = min(now + left, self._last)
        return self._deadline - now


class Worker:
    """A running worker. Use it as a context manager: leaving it ends the process and all its children."""

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
        self.command = command
        self.limits = limits or Limits()
        self.max_rss = 0
        self._noise = b""
        self._noise_bytes = 0
        self._pending = b""
        self._killed = False
        self._status: int | None = None
        try:
            self._child = Child(
                command, _environment(preload), resource_limits(self.limits.memory_bytes), cpu
            )
        except OSError as error:
            raise WorkerFailure(f"{command[0]} cannot be started: {error.strerror or error}") from error
        _live.add(self)
        self._selector = selectors.DefaultSelector()
        # A child of the worker may keep its pipes open, so their end does not tell the worker's own.
        for descriptor in (self._child.stdout, self._child.stderr, self._child.ending):
            self._selector.register(descriptor, selectors.EVENT_READ)

    @property
    def noise(self) -> str:
        """The last that the worker wrote to standard error."""
        return self._noise.decode("utf-8", "replace").strip()

    @property
    def processor_seconds(self) -> float:
        """The processor time that the worker has used, whatever else runs; 0 once it has ended."""
        try:
            status = Path(f"/proc/{self._child.pid}/stat").read_text("ascii", "replace")
        except OSError:
            return 0.0
        fields = status.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def ask(self, kind: type[R], timeout: float | None = None, /, **message: Any) -> R:
        """Send `message` (its field `do` is the request) and return the answer as a record of `kind`.

        Raises WorkerFailure if the worker refuses, ends, does not answer within `timeout` seconds (the
        limits' own if None), writes too much, or answers something else.
        """
        seconds = self.limits.timeout if timeout is None else timeout
        if self._pending:
            raise self.failure("wrote an answer without a request")
        patience = _Patience(self, seconds)
        try:
            os.write(self._child.stdin, msgspec.json.encode(message) + b"\n")
        except OSError:
            raise self._ended() from None
        line = self._read_line(patience)
        reply = _decoded(line, kind)
        refusal = reply or _decoded(line, Reply)
        if refusal is not None and not refusal.ok:
            raise self.failure(refusal.error or "refused without a reason")
        if reply is None:
            raise self.failure(f"answered garbage: {line[:80].decode('utf-8', 'replace')!r}")
        for name in reply.__struct_fields__:
            text = getattr(reply, name)
            if isinstance(text, str):
                setattr(reply, name, shortened(text))
        return reply

    def _read_line(self, patience: "_Patience") -> bytes:
        while b"\n" not in self._pending:
            left = patience.left()
            if left <= 0:
                raise self.failure(f"did not answer within {patience.seconds:g} s")
            for key, _ in self._selector.select(left):
                if key.fd == self._child.ending:
                    self._take_rest()
                    continue
                chunk = os.read(key.fd, 1 << 16)
                if key.fd == self._child.stderr:
                    self._keep_noise(chunk)
                    if not chunk:
                        self._selector.unregister(key.fd)
                elif not chunk:
                    raise self._ended()
                else:
                    self._keep_reply(chunk)
        line, _, self._pending = self._pending.partition(b"\n")
        # A library's message may be in any encoding.
        return line.decode("utf-8", "replace").encode()

    def _take_rest(self) -> None:
        """Take what an ended worker had still written; raise WorkerFailure if that is no whole line."""
        with contextlib.suppress(BlockingIOError):
            while b"\n" not in self._pending and (chunk := os.read(self._child.stdout, 1 << 16)):
                self._keep_reply(chunk)
        if b"\n" not in self._pending:
            raise self._ended()

    def _keep_reply(self, chunk: bytes) -> None:
        self._pending += chunk
        if len(self._pending) > MAX_REPLY:
            raise self.failure("flooded its standard output")

    def _keep_noise(self, chunk: bytes) -> None:
        self._noise = (self._noise + chunk)[-KEPT_NOISE:]
        self._noise_bytes += len(chunk)
        if self._noise_bytes > MAX_NOISE:
            raise self.failure("flooded its standard error")

    def failure(self, reason: str) -> WorkerFailure:
        """End the worker and return why, with its last output, for the caller to raise."""
        self.close()
        return WorkerFailure(shortened(reason), self.noise)

    def _ended(self) -> WorkerFailure:
        half = self._pending
        status = self.close(grace=1.0)
        if self._killed:
            return WorkerFailure("closed its standard output or input, but kept running", self.noise)
        if status < 0:
            with contextlib.suppress(ValueError):
                name = signal.Signals(-status).name
                return WorkerFailure(f"was ended by {name}", self.noise)
        what = "in the middle of an answer" if half else "without an answer"
        return WorkerFailure(f"ended {what}, with status {status}", self.noise)

    def kill(self) -> None:
        """Kill the process at once, from any thread; who waits for an answer sees that it ended."""
        if self._status is None:
            with contextlib.suppress(OSError):
                signal.pidfd_send_signal(self._child.ending, signal.SIGKILL)

    def close(self, grace: float = 0.0) -> int:
        """End the worker and all that it has started; return its exit status, negative for a signal.

        It has `grace` seconds to end by itself, which it does when its standard input ends.
        """
        if self._status is None:
            self.max_rss = self._peak()
            self._child.close_input()
            by_itself, ended = self._child.end(grace)
            self._killed = not by_itself
            self._status = os.waitstatus_to_exitcode(ended.status)
            self.max_rss = self.max_rss or ended.kilobytes * 1024
            self._drain()
        return self._status

    def _peak(self) -> int:
        """The most memory that the worker had, in bytes; 0 if it has ended already.

        What wait4 says would do only then: it counts what this process had when it started the worker.
        """
        try:
            status = Path(f"/proc/{self._child.pid}/status").read_text("ascii", "replace")
        except OSError:
            return 0
        found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
        return int(found.group(1)) * 1024 if found else 0

    def _drain(self) -> None:
        """Keep the last of standard error, and close everything."""
        # Bounded, as another user's process may write into it without end.
        rest = MAX_NOISE
        with contextlib.suppress(OSError):
            while rest > 0 and (chunk := os.read(self._child.stderr, 1 << 16)):
                self._noise = (self._noise + chunk)[-KEPT_NOISE:]
                rest -= len(chunk)
        self._selector.close()
        self._child.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close(grace=0.0 if kind else 1.0)
