"""What one worker is proved to do: found out by starting it, or remembered of the same program and data."""

from pathlib import Path

import msgspec

from serbench.datasets.store import Dataset
from serbench.files import sha256
from serbench.verify.encodings import Given
from serbench.verify.proof_cache import MOST_OUTPUT, Costs, DidRead, DidWrite, ProofCache, system
from serbench.verify.records import Subject
from serbench.worker.process import Limits, Worker, WorkerFailure
from serbench.worker.session import Verified, describe, prepare, verify

READS = 2
"""Iterations of which a reader's `verify` consists: one for each hash."""


class Prover:
    """Lets workers read and write one dataset. `memory` keeps what they did."""

    def __init__(self, dataset: Dataset, limits: Limits, memory: ProofCache) -> None:
        self.dataset = dataset
        self.limits = limits
        self.memory = memory

    def read(self, subject: Subject, given: Given) -> DidRead:
        """What a reader finds in what it is `given`. Raises WorkerFailure."""
        known = self.memory.get(self._key("read", subject, given), DidRead) if subject.digest else None
        if known is not None:
            return known
        found, costs = self._run(subject, given.file(), iterations=READS)
        return DidRead(
            **msgspec.structs.asdict(costs),
            content_hash=found.content_hash,
            exact_hash=found.exact_hash,
            changed=found.changed,
            doubles=found.doubles,
            max_relative=found.max_relative,
        )

    def keep_read(self, subject: Subject, given: Given, proof: DidRead) -> None:
        """Remember what a reader was proved to do."""
        if subject.digest:
            self.memory.put(self._key("read", subject, given), proof)

    def write(self, subject: Subject, given: Given | None, place: Path) -> tuple[DidWrite, Path | None]:
        """What a writer writes, and where that is: at `place`, or in the memory, or nowhere if it is large.

        Only rows that handle bytes as they are get something `given`. Raises WorkerFailure.
        """
        key = self._key("write", subject, given)
        known = self.memory.get(key, DidWrite) if subject.digest else None
        kept = self.memory.output(key, known) if known else None
        if known is not None and (kept is not None or known.bytes > MOST_OUTPUT):
            return known, kept
        proof = self.write_now(subject, given.file() if given else None, place)
        if subject.digest:
            self.memory.put(key, proof, place)
        return proof, place

    def write_now(self, subject: Subject, encoded: Path | None, place: Path) -> DidWrite:
        """Let a writer write to `place`, whatever is remembered. Raises WorkerFailure, and leaves nothing."""
        try:
            written, costs = self._run(subject, encoded, place)
            size = place.stat().st_size - self.dataset.framing if place.is_file() else -1
            if written.bytes is None or size != written.bytes:
                raise WorkerFailure("did not write the output that it reported")
        except WorkerFailure:
            place.unlink(missing_ok=True)
            raise
        return DidWrite(
            **msgspec.structs.asdict(costs),
            bytes=written.bytes,
            hash=written.hash,
            output_sha256=sha256(place),
        )

    def _run(
        self, subject: Subject, encoded: Path | None, output: Path | None = None, iterations: int = 1
    ) -> tuple[Verified, Costs]:
        """The answer of a worker that was started for this, and what it cost."""
        padding = subject.row.contender.manifest.padding
        with Worker(subject.command, limits=self.limits, preload=subject.preload) as worker:
            version = describe(worker).library_version
            prepare(worker, self.dataset.tape, encoded, padding, messages=self.dataset.framed)
            began = worker.processor_seconds
            found = verify(worker, output)
            spent = worker.processor_seconds - began
        return found, Costs(
            library_version=version,
            max_rss=worker.max_rss,
            start_seconds=began,
            iteration_seconds=spent / iterations,
        )

    def _key(self, what: str, subject: Subject, given: Given | None) -> str:
        """The name under which it is remembered what one worker did."""
        data = given.sha256 if given is not None else ""
        words = [what, system(), subject.digest, *subject.preload, self.dataset.tape_sha256, data]
        padding = subject.row.contender.manifest.padding
        return self.memory.key(*words, str(padding), str(self.dataset.framed))
