"""Fidelity: odd values through every library, in a process of its own, and a look at what it decodes."""

from collections.abc import Callable, Iterator, Sequence
from typing import Literal, TypeVar, get_args

import msgspec

from serbench.results.probes import Carried, Fate, Fidelity, Library, Mark
from serbench.verify.proof_cache import ProofCache, system
from serbench.worker.process import Limits, Reply, Worker, WorkerFailure, pooled

R = TypeVar("R", bound=Reply)

KEPT: tuple[Mark, ...] = ("same", "form")
"""Marks of values that lost nothing."""
ONLY_WRITES = "it does not read, so nothing can be looked at"


class Subject(Library, kw_only=True):
    """A library in a variant, as the probe loads it."""

    variant: str = ""
    library: str
    """The library that writes, by which a peer is known to be another."""
    shape: Literal["mapped", "optional", "unmapped"]
    """The shape of the records that it can take."""
    command: tuple[str, ...]
    digest: str
    """The digest of everything that the command loads."""


class Answer(Reply):
    """What the probe says of one value."""

    mark: Literal["same", "form", "changed", "refused", "polluted", "failed", "none"] = "none"
    at: Literal["", "write", "read"] = ""
    found: str = ""
    bytes: str = ""
    """What was written, in base64."""


class _Carried(Reply):
    carried: list[Carried] = []


class _Probes(Reply):
    probes: list[str] = []


class _Own(msgspec.Struct):
    """A library's own round trips, as they are remembered."""

    carries: list[Carried]
    answers: dict[str, Answer]
    reason: str = ""


class _Asker:
    """A probe's process, started anew after it ended."""

    def __init__(self, subject: Subject, limits: Limits) -> None:
        self._subject = subject
        self._limits = limits
        self._worker: Worker | None = None

    def ask(self, kind: type[R], **message: str) -> R:
        """Raises WorkerFailure."""
        if self._worker is None:
            self._worker = Worker(self._subject.command, limits=self._limits)
        try:
            return self._worker.ask(kind, None, **message)
        except WorkerFailure:
            self.close()
            raise

    def answer(self, **message: str) -> Answer:
        """What became of a value; `failed` if the process ended over it."""
        try:
            reply = self.ask(Answer, **message)
            if reply.mark == "polluted":  # what is spoilt must not spoil the next value
                self.close()
            return reply
        except WorkerFailure as error:
            return Answer(ok=False, mark="failed", found=error.reason)

    def close(self) -> None:
        """End the process."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class _Reads(msgspec.Struct):
    """What a library reads from others' bytes, as it is remembered."""

    answers: dict[str, Answer]


def _own(subject: Subject, limits: Limits) -> _Own:
    asker = _Asker(subject, limits)
    try:
        try:
            probes = asker.ask(_Probes, do="probes")
        except WorkerFailure as error:
            return _Own(carries=[], answers={}, reason=error.reason)
        answers = {name: asker.answer(do="value", probe=name) for name in probes.probes}
        try:
            carried = asker.ask(_Carried, do="carried", shape=subject.shape)
        except WorkerFailure as error:
            return _Own(carries=[], answers=answers, reason=f"its records cannot be read: {error.reason}")
        return _Own(carries=carried.carried, answers=answers)
    finally:
        asker.close()


def _reads_of(subject: Subject, wanted: dict[str, tuple[str, Answer]], limits: Limits) -> dict[str, Answer]:
    """What the library reads from other libraries' bytes, by probe."""
    asker = _Asker(subject, limits)
    try:
        return {
            name: asker.answer(do="read", probe=name, bytes=answer.bytes)
            for name, (_, answer) in wanted.items()
        }
    finally:
        asker.close()


def _peers(
    subject: Subject, own: _Own, everyone: Sequence[tuple[Subject, _Own]]
) -> dict[str, tuple[str, Answer]]:
    """The values that `subject` did not bring through itself, in bytes of a library of its language that did.

    Another language has other values, of which some have the same name.
    """
    others = [
        (other.contender, theirs.answers)
        for other, theirs in everyone
        if (other.language, other.format) == (subject.language, subject.format)
        and other.library != subject.library
    ]
    found = {}
    for name, answer in own.answers.items():
        kept = [(who, a[name]) for who, a in others if name in a and a[name].mark in KEPT]
        if kept and answer.mark not in (*KEPT, "none"):
            found[name] = kept[0]
    return found


def _fates(own: _Own, peers: dict[str, tuple[str, Answer]], reads: dict[str, Answer]) -> list[Fate]:
    marks = get_args(Mark)
    made = []
    for name, answer in own.answers.items():
        if answer.mark not in marks:
            continue
        fate = Fate(probe=name, mark=answer.mark, at=answer.at, found=answer.found)  # type: ignore[arg-type]
        read = reads.get(name)
        if read is not None and read.mark != "none":
            fate.peer, fate.peer_mark, fate.peer_found = peers[name][0], read.mark, read.found
        made.append(fate)
    return made


def examine(
    subjects: Sequence[Subject],
    memory: ProofCache,
    limits: Limits,
    jobs: int,
    done: Callable[[], None] = lambda: None,
) -> Iterator[Fidelity]:
    """Probe all `subjects` and yield what was found in their order; what `memory` holds is not probed again.

    `done` is called as each one's own round trips have been made. A process that ends costs its value only.
    """

    def own(subject: Subject) -> _Own:
        key = memory.key("fidelity", system(), subject.digest, subject.shape)
        known = memory.get(key, _Own)
        if known is None:
            known = _own(subject, limits)
            if not known.reason and all(answer.mark != "failed" for answer in known.answers.values()):
                memory.put(key, known)
        done()
        return known

    def complete(job: tuple[Subject, _Own]) -> Fidelity:
        subject, mine = job
        peers = _peers(subject, mine, everyone)
        given = [f"{name} {theirs.bytes}" for name, (_, theirs) in peers.items()]
        key = memory.key("fidelity of peers", system(), subject.digest, *given)
        reads = memory.get(key, _Reads) if peers else _Reads(answers={})
        if reads is None:
            reads = _Reads(answers=_reads_of(subject, peers, limits))
            if all(answer.mark != "failed" for answer in reads.answers.values()):
                memory.put(key, reads)
        values = _fates(mine, peers, reads.answers)
        return Fidelity(
            **subject.names,
            variant=subject.variant,
            status="failed" if mine.reason else "ok" if values else "unavailable",
            reason=mine.reason or ("" if values else ONLY_WRITES),
            carries=mine.carries,
            values=values,
        )

    with pooled(jobs) as pool:
        everyone = list(zip(subjects, pool.map(own, subjects), strict=True))
        yield from pool.map(complete, everyone)
