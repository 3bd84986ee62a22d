"""Workers that stay open while rows are proved: a row has one for all its documents."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple, Self

from serbench.verify.records import Subject
from serbench.worker.bounds import workers_at_a_time
from serbench.worker.conversation import GRACE
from serbench.worker.process import Limits, Worker
from serbench.worker.session import describe

IDLE = 16
"""Workers that are kept for a later document at most, beside those that work: referees, mainly."""
GROWTH = 64_000_000
"""Bytes of memory that a worker may have taken for its documents and be kept: the next proof counts them."""
IDLE_BYTES = 2 * GROWTH
"""What one that is kept may have, roughly: the largest is a Java machine."""

_Program = tuple[tuple[str, ...], tuple[str, ...], int | None]


class Session(NamedTuple):
    """A running worker, and what is known of it since it started."""

    worker: Worker
    library_version: str
    start_seconds: float
    """Processor time that the start took."""
    start_peak: int
    """The most memory that the start took, in bytes."""


class Sessions:
    """Starts workers and keeps those that did well. A context manager, which ends them; threads may share it.

    A worker is with one thread at a time. One that failed, ended or has grown is not kept. A row with another
    program for each dataset, whose code is generated, has another worker for each.
    """

    def __init__(self) -> None:
        self._most = workers_at_a_time(IDLE, IDLE_BYTES)
        self._idle: list[tuple[_Program, Session]] = []
        """The one that was used last is the last."""
        self._lock = threading.Lock()

    @contextmanager
    def of(self, subject: Subject, limits: Limits) -> Iterator[Session]:
        """A worker of `subject` with these limits, which ends if the block does so by an exception.

        Raises WorkerFailure if it cannot be started.
        """
        program = (subject.command, subject.preload, limits.memory_bytes)
        session = self._take(program) or _started(subject, limits)
        session.worker.limits = limits
        try:
            yield session
        except BaseException:
            session.worker.close()
            raise
        self._keep(program, session)

    def _take(self, program: _Program) -> Session | None:
        """The idle worker of a program that was used last; None if there is none that runs."""
        while True:
            with self._lock:
                places = [place for place, (known, _) in enumerate(self._idle) if known == program]
                if not places:
                    return None
                _, session = self._idle.pop(places[-1])
            if not session.worker.has_ended:
                session.worker.forget_noise()
                return session
            session.worker.close()

    def _keep(self, program: _Program, session: Session) -> None:
        """Keep a worker, in the place of the one that has been idle for longest if they are too many."""
        leaving = session
        if session.worker.peak - session.start_peak <= GROWTH:
            with self._lock:
                self._idle.append((program, session))
                if len(self._idle) <= self._most:
                    return
                _, leaving = self._idle.pop(0)
        leaving.worker.close(grace=GRACE)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        while self._idle:
            _, session = self._idle.pop()
            session.worker.close(grace=0.0 if kind else GRACE)


def _started(subject: Subject, limits: Limits) -> Session:
    worker = Worker(subject.command, limits=limits, preload=subject.preload)
    try:
        version = describe(worker).library_version
        return Session(worker, version, worker.processor_seconds, worker.peak)
    except BaseException:
        worker.close()
        raise
