"""What one worker is proved to do: found out by asking it, or remembered of the same program and data."""

import itertools
from pathlib import Path

import msgspec

from serbench.datasets.difference import difference
from serbench.datasets.store import Dataset
from serbench.files import sha256
from serbench.verify.encodings import InputEncoding
from serbench.verify.proof_cache import MOST_OUTPUT, Costs, DidRead, DidWrite, ProofCache, system
from serbench.verify.records import Subject
from serbench.verify.sessions import Sessions
from serbench.worker.process import Limits, WorkerFailure
from serbench.worker.session import Verified, prepare, sample, verify

READS = 2
"""Iterations of which a reader's `verify` consists: one for each hash."""


class Prover:
    """Lets workers of `sessions` read and write one dataset.

    `memory` keeps what they did, `folder` what they saw.
    """

    def __init__(
        self, dataset: Dataset, sessions: Sessions, limits: Limits, memory: ProofCache, folder: Path
    ) -> None:
        self.dataset = dataset
        self.sessions = sessions
        self.limits = limits
        self.memory = memory
        self.folder = folder
        self._number = itertools.count()

    def read(self, subject: Subject, given: InputEncoding, words: Path | None = None) -> DidRead:
        """What a reader finds in what it is `given`, or a baseline in the `words`. Raises WorkerFailure."""
        known = self.memory.get(self._key("read", subject, given), DidRead) if subject.digest else None
        if known is not None:
            return known
        data = self.dataset.of(subject.row)
        seen = self.folder / f"seen-{next(self._number)}"
        try:
            found, costs = self._run(
                subject, given.file(), iterations=READS, words=words, seen=None if words else seen
            )
            other = difference(data, seen) if seen.exists() else None
        finally:
            seen.unlink(missing_ok=True)
        return DidRead(
            **msgspec.structs.asdict(costs),
            content_hash=found.content_hash,
            exact_hash=found.exact_hash,
            difference=other,
        )

    def keep_read(self, subject: Subject, given: InputEncoding, proof: DidRead) -> None:
        """Remember what a reader was proved to do."""
        if subject.digest:
            self.memory.put(self._key("read", subject, given), proof)

    def write(
        self, subject: Subject, given: InputEncoding | None, place: Path
    ) -> tuple[DidWrite, Path | None]:
        """What a writer writes, and where that is: at `place`, or in the memory, or nowhere if it is large.

        A writer of the value tree is `given` nothing. Raises WorkerFailure.
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
        self,
        subject: Subject,
        encoded: Path | None,
        output: Path | None = None,
        iterations: int = 1,
        words: Path | None = None,
        seen: Path | None = None,
    ) -> tuple[Verified, Costs]:
        """The answer of a row's worker, and what it cost.

        A reader leaves what it saw at `seen` if its hashes are not the dataset's. A writer, which has an
        `output`, writes a second time, in an iteration as they are timed.
        """
        data = self.dataset.of(subject.row)
        facts = data.facts
        with self.sessions.of(subject, self.limits) as session:
            worker = session.worker
            before = worker.processor_seconds
            prepare(
                worker,
                data.tape,
                encoded,
                subject.row.contender.manifest.padding,
                messages=data.framed,
                words=words,
                paths=data.paths,
            )
            began = worker.processor_seconds
            found = verify(worker, output)
            spent = worker.processor_seconds - began
            right = (found.content_hash, found.exact_hash) == (facts.content_hash, facts.exact_hash)
            if output is not None:
                second = sample(worker, iterations=1, chunks=1, warmup=0).hash
                if second != found.hash:
                    raise worker.failure(
                        f"writes other bytes each time: their hash is {found.hash}, then {second}"
                    )
            if seen is not None and not right:
                again = verify(worker, seen)
                if again.exact_hash != found.exact_hash:
                    raise worker.failure(
                        f"read the same twice: exact_hash {found.exact_hash}, then {again.exact_hash}"
                    )
            return found, Costs(
                library_version=session.library_version,
                max_rss=worker.peak,
                start_seconds=session.start_seconds + began - before,
                iteration_seconds=spent / iterations,
            )

    def _key(self, what: str, subject: Subject, given: InputEncoding | None) -> str:
        """The name under which it is remembered what one worker did."""
        data = given.sha256 if given is not None else ""
        tape = self.dataset.of(subject.row).tape_sha256
        words = [what, system(), subject.digest, *subject.preload, tape, data]
        padding = subject.row.contender.manifest.padding
        return self.memory.key(*words, str(padding), str(self.dataset.framed))
