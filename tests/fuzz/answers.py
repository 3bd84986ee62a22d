"""Target: the lines of an input are a worker's answers, one to each of the orchestrator's requests."""

import os
from pathlib import Path
from types import SimpleNamespace

import msgspec

from serbench.worker import conversation, process, session
from serbench.worker.child import Ended

REQUESTS = (
    session.describe,
    lambda worker: session.prepare(worker, Path("tape"), None, padding=1),
    session.verify,
    lambda worker: session.sample(worker, iterations=1, chunks=2, warmup=0, believe=True),
    lambda worker: session.count(worker, 1, expected=""),
    session.heap,
)
SYSTEM = {name: getattr(os, name) for name in ("environ", "defpath", "waitstatus_to_exitcode")}
"""What else a worker's record asks of the system."""


class Said:
    """In the place of a child, its pipes and the selector: it has written `data` and closed its streams.

    Pipes of the system would take most of the time of a run.
    """

    pid = 0  # no process has this number
    stdin, stdout, stderr, ending = range(4)

    def __init__(self, data: bytes) -> None:
        self.left = data
        self.at_once = data[0] + 1 if data else 1
        """Bytes that one read yields."""
        self.watched: set[int] = set()

    def read(self, stream: int, most: int) -> bytes:
        # No read goes beyond a line: an answer that comes before its request ends the conversation.
        line = self.left.find(b"\n") + 1 or len(self.left)
        most = min(most, self.at_once, line) if stream == self.stdout else 0
        read, self.left = self.left[:most], self.left[most:]
        return read

    def write(self, _: int, data: bytes) -> int:
        return len(data)

    def register(self, stream: int, _: int) -> None:
        self.watched.add(stream)

    def unregister(self, stream: int) -> None:
        self.watched.remove(stream)

    def select(self, _: float) -> list[tuple[SimpleNamespace, int]]:
        """Its streams; and its end, if the bytes of a read are even in number."""
        return [(SimpleNamespace(fd=s), 1) for s in self.watched if s != self.ending or not self.at_once % 2]

    def close_input(self) -> None:
        pass

    def end(self, _: float) -> tuple[bool, Ended]:
        return True, Ended(status=0, kilobytes=1)

    def close(self) -> None:
        pass


def run(data: bytes) -> None:
    """Ask all requests: each is answered with what can be stored, or fails with what can be stored."""
    said = Said(data)
    system = SimpleNamespace(read=said.read, write=said.write, **SYSTEM)
    selectors = SimpleNamespace(DefaultSelector=lambda: said, EVENT_READ=1)
    writable = SimpleNamespace(register=lambda *_: None, poll=lambda _: None)
    select = SimpleNamespace(poll=lambda: writable, POLLOUT=4)
    usual = {name: getattr(conversation, name) for name in ("Child", "os", "select", "selectors")}
    vars(conversation).update(Child=lambda *_, **__: said, os=system, select=select, selectors=selectors)
    try:
        with process.Worker(["said"]) as worker:
            for ask in REQUESTS:
                msgspec.json.encode(ask(worker))
    except process.WorkerFailure as failure:
        msgspec.json.encode([failure.reason, failure.output])
    finally:
        vars(conversation).update(usual)
