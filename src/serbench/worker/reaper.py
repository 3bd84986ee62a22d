"""The parent of all workers and compilers: it starts them, and when one ends it kills what is left of it.

A process whose parent ends becomes a child of its nearest ancestor that is a "child subreaper" (prctl(2)).
Each worker is one while it lives, and so is this process. Whatever a worker starts, in any session, stays
below the worker, and becomes a child of this process when the worker ends. This program is a process of its
own because the one that measures may be killed.

A request comes on standard input, a socket: the file descriptors of a file with a JSON object, of the
worker's three streams, and of its own channel. The channel carries two answers: `pid`, or the `errno` of a
failed start; and at the worker's end its `status` and its peak resident memory in `kilobytes`. To end a
worker, close or shut down the channel.
"""

import contextlib
import ctypes
import errno
import json
import os
import resource
import selectors
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER = 1, 36
STREAMS = 3
_prctl = ctypes.CDLL(None).prctl


def _children() -> set[int]:
    return set(map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()))


class Reaper:
    """Starts workers, and ends them."""

    def __init__(self) -> None:
        self._workers: dict[socket.socket, subprocess.Popen[bytes]] = {}
        self._immortal: set[int] = set()
        """Processes that may not be killed: those of another user."""

    def start(self, descriptors: list[int]) -> socket.socket:
        """Start a worker and return its channel."""
        request, *streams, last = descriptors
        channel = socket.socket(fileno=last)
        with os.fdopen(request, "rb") as file:
            file.seek(0)
            wanted = json.load(file)

        def restrict() -> None:
            _prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
            _prctl(PR_SET_CHILD_SUBREAPER, 1)
            for number, most in wanted["limits"]:
                hard = resource.getrlimit(number)[1]
                bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
                resource.setrlimit(number, (bound, bound))
            if wanted["cpu"] is not None:
                with contextlib.suppress(OSError):
                    os.sched_setaffinity(0, {wanted["cpu"]})

        answer: dict[str, int] = {}
        try:
            worker = subprocess.Popen(
                wanted["command"],
                stdin=streams[0],
                stdout=streams[1],
                stderr=streams[2],
                env=wanted["environment"],
                cwd=wanted["cwd"],
                process_group=0,
                preexec_fn=restrict,  # which is safe, as this process has one thread
            )
            self._workers[channel] = worker
            answer["pid"] = worker.pid
        except (OSError, ValueError) as error:  # ValueError: a NUL in a word
            answer["errno"] = getattr(error, "errno", None) or errno.EINVAL
        finally:
            for stream in streams:
                os.close(stream)
        self._say(channel, answer)
        return channel

    def end(self, channel: socket.socket) -> None:
        """Kill the worker of a channel if it lives, and all that it left; tell how it ended."""
        worker = self._workers.pop(channel, None)
        if worker is not None:
            with contextlib.suppress(OSError):
                os.kill(worker.pid, signal.SIGKILL)
            _, status, usage = os.wait4(worker.pid, 0)
            worker.returncode = status
            self._kill_strays()
            self._say(channel, {"status": status, "kilobytes": usage.ru_maxrss})
        channel.close()

    def end_all(self) -> None:
        """End all workers."""
        for channel in list(self._workers):
            self.end(channel)

    def _strays(self) -> Iterator[int]:
        # A list that is read while a child ends may lack another one: it is read twice.
        for _ in range(2):
            yield from _children() - {worker.pid for worker in self._workers.values()} - self._immortal

    def _kill_strays(self) -> None:
        """Kill children that are no workers until there are none: their children come next."""
        while (stray := next(self._strays(), None)) is not None:
            try:
                os.kill(stray, signal.SIGKILL)
                os.waitpid(stray, 0)
            except PermissionError:
                self._immortal.add(stray)

    def _say(self, channel: socket.socket, answer: dict[str, int]) -> None:
        with contextlib.suppress(OSError):
            channel.send(json.dumps(answer).encode())


def main() -> None:
    """Serve until standard input ends, then end all workers."""
    _prctl(PR_SET_CHILD_SUBREAPER, 1)
    control = socket.socket(fileno=0)
    reaper = Reaper()
    with selectors.DefaultSelector() as selector:
        selector.register(control, selectors.EVENT_READ)
        while True:
            for key, _ in selector.select():
                ready = key.fileobj
                assert isinstance(ready, socket.socket)
                if ready is not control:
                    selector.unregister(ready)
                    reaper.end(ready)
                    continue
                request, descriptors, _, _ = socket.recv_fds(control, 1 << 10, STREAMS + 2)
                if not request:
                    reaper.end_all()
                    sys.exit()
                selector.register(reaper.start(descriptors), selectors.EVENT_READ)


if __name__ == "__main__":
    main()
