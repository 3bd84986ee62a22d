"""A child process that answers a line for each line."""

import contextlib
import os
import re
import select
import selectors
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from serbench.errors import Failure, shortened
from serbench.worker.child import Child
from serbench.worker.patience import Patience

MAX_REPLY = 64 * 1024 * 1024
MAX_NOISE = 64 * 1024 * 1024
KEPT_NOISE = 4096
GRACE = 1.0
"""Seconds that a worker which nobody needs any more has to end by itself."""
ENDING = 5.0
"""Seconds for the end of one that has closed its output."""


class WorkerFailure(Failure):
    """A worker that refused, crashed, hung, flooded or spoke nonsense."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason, output)
        self.reason = reason  # Its own words stay as they are.


class Conversation:
    """A running child. Use it as a context manager: leaving it ends the process and all its children."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        limits: Mapping[int, int] | None = None,
        cpu: int | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Start `command`, as a `Child`. Raises WorkerFailure if it cannot be started."""
        self.command = command
        self.max_rss = 0
        self._noise = b""
        self._noise_bytes = 0
        self._pending = b""
        self._killed = False
        self._status: int | None = None
        try:
            self._child = Child(command, environment, limits=limits, cpu=cpu, cwd=cwd)
        except OSError as error:
            raise WorkerFailure(f"{command[0]} cannot be started: {error.strerror or error}") from error
        self._selector = selectors.DefaultSelector()
        # A child of the worker may keep its pipes open, so their end does not tell the worker's own.
        for descriptor in (self._child.stdout, self._child.stderr, self._child.ending):
            self._selector.register(descriptor, selectors.EVENT_READ)

    @property
    def noise(self) -> str:
        """The last that the worker wrote to standard error."""
        return self._noise.decode("utf-8", "replace").strip()

    def forget_noise(self) -> None:
        """Leave out what the worker wrote to standard error up to now: it was about something else."""
        with contextlib.suppress(OSError):
            while os.read(self._child.stderr, 1 << 16):
                continue
        self._noise, self._noise_bytes = b"", 0

    @property
    def has_ended(self) -> bool:
        """Whether the worker runs no more."""
        return self._status is not None or self._child.has_ended()

    @property
    def processor_seconds(self) -> float:
        """The processor time that the worker has used, whatever else runs; 0 once it has ended."""
        try:
            status = Path(f"/proc/{self._child.pid}/stat").read_text("ascii", "replace")
        except OSError:
            return 0.0
        fields = status.rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    @property
    def peak(self) -> int:
        """The most memory that the worker has had, in bytes; 0 if it has ended already.

        What wait4 says would do only then: it counts what this process had when it started the worker.
        """
        try:
            status = Path(f"/proc/{self._child.pid}/status").read_text("ascii", "replace")
        except OSError:
            return 0
        found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
        return int(found.group(1)) * 1024 if found else 0

    def exchange(self, line: bytes, timeout: float) -> bytes:
        """Send `line`, with its end, and return the answer without.

        `timeout` is in seconds, without those in which the child waits for a processor. Raises WorkerFailure
        if the child ends, does not answer in time or writes too much.
        """
        if self._pending:
            raise self.failure("wrote an answer without a request")
        waiting = Patience(self._child.pid, timeout)
        self._write(line, waiting)
        return self._read_line(waiting)

    def _write(self, line: bytes, waiting: Patience) -> None:
        writable = select.poll()
        writable.register(self._child.stdin, select.POLLOUT)
        while line:
            left = waiting.left()
            if not writable.poll(max(left, 0.0) * 1000) and left <= 0:
                raise self.failure(f"did not take a request within {waiting.seconds:g} s")
            try:
                line = line[os.write(self._child.stdin, line) :]
            except BlockingIOError:
                continue
            except OSError:
                raise self._ended() from None

    def _read_line(self, patience: Patience) -> bytes:
        while b"\n" not in self._pending:
            left = patience.left()
            ready = self._selector.select(max(left, 0.0))
            if left <= 0 and not ready:  # what came while this process had no processor is in time
                raise self.failure(f"did not answer within {patience.seconds:g} s")
            for key, _ in ready:
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
        return line

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
        status = self.close(grace=ENDING)
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
            self._child.kill()

    def close(self, grace: float = 0.0) -> int:
        """End the worker and all that it has started; return its exit status, negative for a signal.

        It has `grace` seconds to end by itself, which it does when its standard input ends.
        """
        if self._status is None:
            self.max_rss = self.peak
            self._child.close_input()
            by_itself, ended = self._child.end(grace)
            self._killed = not by_itself
            self._status = os.waitstatus_to_exitcode(ended.status)
            self.max_rss = self.max_rss or ended.kilobytes * 1024
            self._drain()
        return self._status

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

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(grace=0.0 if kind else GRACE)
