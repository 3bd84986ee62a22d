"""A child process of the reaper (reaper.py), which ends with serbench and with all that it has started."""

import contextlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from serbench.worker.patience import Patience

_starting = threading.Lock()
_reapers: list[tuple["subprocess.Popen[bytes]", socket.socket]] = []
"""The running one, if there is one, and the socket for its requests."""


class _Started(msgspec.Struct):
    """The reaper's answer to a start."""

    pid: int = 0
    errno: int = 0


class Ended(msgspec.Struct, frozen=True):
    """How a child ended: what wait4(2) says."""

    status: int
    kilobytes: int
    """The most memory that was resident."""


def start_reaper() -> socket.socket:
    """Start the reaper of this process, unless it runs; return the socket for its requests."""
    with _starting:
        if _reapers and _reapers[0][0].poll() is None:
            return _reapers[0][1]
        for _, lost in _reapers:
            lost.close()
        own, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            process = subprocess.Popen(
                [sys.executable, "-I", "-S", str(Path(__file__).with_name("reaper.py"))],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # Ctrl-C at a terminal is not meant for it
            )
        _reapers[:] = [(process, own)]
        return own


class Child:
    """A running child; its streams do not block."""

    def __init__(
        self,
        command: Sequence[str],
        environment: Mapping[str, str],
        *,
        limits: Mapping[int, int] | None = None,
        cpu: int | None = None,
        cwd: Path | None = None,
    ) -> None:
        """Start `command` in `cwd` on the processor `cpu`, with `limits` by their RLIMIT numbers.

        Raises OSError if it cannot be started.
        """
        with contextlib.ExitStack() as theirs, contextlib.ExitStack() as ours:
            pipes = [os.pipe() for _ in range(3)]
            inner = [pipes[0][0], pipes[1][1], pipes[2][1]]
            self.stdin, self.stdout, self.stderr = pipes[0][1], pipes[1][0], pipes[2][0]
            for descriptor in inner:
                theirs.callback(os.close, descriptor)
            self._input = contextlib.ExitStack()
            self._input.callback(os.close, self.stdin)
            ours.push(self._input)
            for descriptor in (self.stdin, self.stdout, self.stderr):
                os.set_blocking(descriptor, False)
            for descriptor in (self.stdout, self.stderr):
                ours.callback(os.close, descriptor)
            self._channel, channel = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            theirs.callback(channel.close)
            ours.callback(self._channel.close)
            request = {
                "command": command,
                "environment": environment,
                "cwd": str(cwd.absolute() if cwd else f"/proc/{os.getpid()}/cwd"),
                "limits": [*(limits or {}).items()],
                "cpu": cpu,
            }
            # In a file, since a message must not be as long as a command may be.
            with os.fdopen(os.memfd_create("request"), "wb") as file:
                file.write(json.dumps(request).encode("ascii"))
                file.flush()
                descriptors = [file.fileno(), *inner, channel.fileno()]
                socket.send_fds(start_reaper(), [b"start"], descriptors)
            theirs.close()
            started = msgspec.json.decode(self._receive(), type=_Started)
            if not started.pid:
                raise OSError(started.errno, os.strerror(started.errno))
            self.pid = started.pid
            self.ending = os.pidfd_open(self.pid)
            """A descriptor that is readable once the child has ended."""
            ours.callback(os.close, self.ending)
            self._close = ours.pop_all().close

    def _receive(self) -> bytes:
        answer = self._channel.recv(1 << 12)
        if not answer:
            raise OSError("the process that starts all others has ended")
        return answer

    def kill(self) -> None:
        """Kill the process at once, from any thread; what it has started goes with `end`."""
        with contextlib.suppress(OSError):
            signal.pidfd_send_signal(self.ending, signal.SIGKILL)

    def has_ended(self, wait: float = 0.0) -> bool:
        """Whether it runs no more, or ends within `wait` seconds."""
        poll = select.poll()
        poll.register(self.ending, select.POLLIN)
        ended = poll.poll(0)
        patience = Patience(self.pid, wait)
        while not ended and wait > 0 and (left := patience.left()) > 0:
            ended = poll.poll(left * 1000)
        return bool(ended)

    def close_input(self) -> None:
        """Let the child's standard input end."""
        self._input.close()

    def end(self, grace: float) -> tuple[bool, Ended]:
        """Wait `grace` seconds for its end, then kill it and all that it left.

        Returns whether it ended by itself, and how. Its pipes stay open until `close`.
        """
        by_itself = self.has_ended(grace)
        try:
            self._channel.shutdown(socket.SHUT_WR)
            return by_itself, msgspec.json.decode(self._receive(), type=Ended)
        except OSError:  # the reaper has been killed, and its workers with it
            return by_itself, Ended(status=signal.SIGKILL, kilobytes=0)

    def close(self) -> None:
        """Close all descriptors."""
        self._close()
