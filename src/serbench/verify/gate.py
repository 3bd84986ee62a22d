"""The gate: every reader must yield the dataset's hashes, every writer's output must be read back.

Order: canonical encodings first, then readers on them, then writers, whose output is read back by a
reader that yielded both hashes, of another library where there is one. A baseline comes last, since
it handles the smallest encoding of its group.
"""

from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from serbench.catalog.records import FormatManifest
from serbench.datasets.limits import beyond, without_schema
from serbench.datasets.store import Dataset, Encoded
from serbench.verify import published
from serbench.verify.memory import DidRead, DidWrite, Memory, sha256, system
from serbench.verify.records import Subject, Verdict
from serbench.worker.process import Limits, Worker, WorkerFailure, pooled
from serbench.worker.records import Doubles
from serbench.worker.session import describe, prepare, verify

MOST_REFEREES = 3
"""How many readers are asked before a writer's output counts as wrong."""
_LARGE = 1e-3
_PLAIN = str.maketrans("/:@", "___")


class Canonical(msgspec.Struct, frozen=True, kw_only=True):
    """The canonical encoding of the dataset in one format, or why there is none."""

    encoded: Encoded | None = None
    reason: str = ""
    unsupported: bool = False
    """The format cannot express the dataset: no failure, but a fact."""
    encoder: str = ""
    """Who wrote it, as shown."""
    library: str = ""
    """The library that wrote it, by which two of its contenders are known as one."""


class Gate:
    """The gate for one dataset. `folder` keeps the outputs of the writers while the run goes on."""

    def __init__(
        self,
        dataset: Dataset,
        formats: dict[str, FormatManifest],
        canonical: dict[str, Canonical],
        folder: Path,
        limits: Limits,
        jobs: int = 2,
        memory: Memory | None = None,
    ) -> None:
        self.memory = memory or Memory()
        self.dataset = dataset
        self.formats = formats
        self.canonical = canonical
        self.folder = folder
        self.limits = limits
        self.jobs = jobs
        self._referees: dict[str, list[Subject]] = {}

    def check(
        self,
        subjects: Sequence[Subject],
        referees: Sequence[Subject] = (),
        done: Callable[[Subject, Verdict], None] = lambda _subject, _verdict: None,
    ) -> dict[str, Verdict]:
        """The verdict on every subject, by its key. `referees` are readers that may also read back.

        `done` is called, in any thread, as each verdict is reached.
        """
        folder = self.folder
        folder.mkdir(parents=True, exist_ok=True)
        verdicts: dict[str, Verdict] = {}

        def run(check: Callable[[Subject], Verdict], chosen: Sequence[Subject]) -> None:
            def one(subject: Subject) -> tuple[str, Verdict]:
                try:
                    verdict = check(subject)
                except OSError as error:  # a full disk, or an output that cannot be read
                    verdict = Verdict(
                        status="failed", reason=f"{error.filename or 'a file'}: {error.strerror}"
                    )
                done(subject, verdict)
                return subject.key, verdict

            with pooled(self.jobs) as pool:
                verdicts.update(pool.map(one, chosen))

        contenders = [s for s in subjects if s.row.contender.manifest.role == "contender"]
        readers = [s for s in contenders if s.row.test != "write"]
        run(self._check_reader, readers)
        proven = [s for s in readers if verdicts[s.key].exact_hash == self.dataset.facts.exact_hash]
        self._choose_referees(proven, [s for s in referees if s.key not in verdicts])
        run(self._check_writer, [s for s in contenders if s.row.test == "write"])
        others = [s for s in subjects if s.row.contender.manifest.role != "contender"]
        run(lambda subject: self._check_own(subject, verdicts, contenders), others)
        return verdicts

    def _choose_referees(self, proven: Sequence[Subject], candidates: Sequence[Subject]) -> None:
        for subject in proven:
            self._referees.setdefault(subject.row.contender.manifest.format, []).append(subject)
        for subject in candidates:
            known = self._referees.setdefault(subject.row.contender.manifest.format, [])
            if len({s.row.contender.library for s in known}) < 2:
                verdict = self._check_reader(subject)
                if verdict.exact_hash == self.dataset.facts.exact_hash:
                    known.append(subject)

    def _refusal(self, subject: Subject) -> Verdict | None:
        """Why the row cannot take part at all: a limit of its format or of its library."""
        manifest = subject.row.contender.manifest
        lacking = without_schema(manifest.schemas, self.dataset.schema)
        if lacking is not None:
            return Verdict(status="unsupported", reason=lacking)
        stated = self.formats[manifest.format]
        excess = beyond(stated.limits, self.dataset.facts)
        if excess is not None:
            return Verdict(status="unsupported", reason=f"{stated.name} cannot express it: the data {excess}")
        excess = beyond(subject.row.limits, self.dataset.facts)
        if excess is not None:
            return Verdict(status="unsupported", reason=f"{manifest.name} cannot take it: the data {excess}")
        return None

    def _start(self, subject: Subject) -> Worker:
        return Worker(subject.command, limits=self.limits, preload=subject.preload)

    def _prepare(self, worker: Worker, subject: Subject, encoded: Path | None) -> None:
        padding = subject.row.contender.manifest.padding
        prepare(worker, self.dataset.tape, encoded, padding, messages=self.dataset.framed)

    def _check_reader(self, subject: Subject) -> Verdict:
        refusal = self._refusal(subject)
        if refusal is not None:
            return refusal
        manifest = subject.row.contender.manifest
        canonical = self.canonical[manifest.format]
        if canonical.encoded is None:
            return Verdict(
                status="unsupported" if canonical.unsupported else "unavailable", reason=canonical.reason
            )
        verdict = Verdict(status="ok", input=canonical.encoded.path, bytes=canonical.encoded.bytes)
        self._read(subject, canonical.encoded.path, verdict)
        verdict.hash = verdict.content_hash
        verdict.verified_by = canonical.encoder
        if subject.row.contender.library == canonical.library:
            verdict.labels = ["reads what its own library wrote"]
        return verdict

    def _read(self, subject: Subject, encoded: Path, verdict: Verdict) -> None:
        """Let a reader decode `encoded`, and write into `verdict` what its hashes prove."""
        key = self._proof("read", subject, encoded)
        proof = self.memory.recall(key, DidRead) if subject.digest else None
        if proof is None:
            try:
                proof = self._read_now(subject, encoded)
            except WorkerFailure as failure:
                verdict.status, verdict.reason, verdict.output = "failed", failure.reason, failure.output
                return
        verdict.library_version = proof.library_version
        verdict.max_rss = max(verdict.max_rss, proof.max_rss)
        self._judge(proof, verdict)
        if subject.digest and verdict.status == "ok":
            self.memory.keep(key, proof)

    def _read_now(self, subject: Subject, encoded: Path) -> DidRead:
        with self._start(subject) as worker:
            version = describe(worker).library_version
            self._prepare(worker, subject, encoded)
            found = verify(worker)
        return DidRead(
            library_version=version,
            content_hash=found.content_hash,
            exact_hash=found.exact_hash,
            changed=found.changed,
            doubles=found.doubles,
            max_relative=found.max_relative,
            max_rss=worker.max_rss,
        )

    def _proof(self, what: str, subject: Subject, encoded: Path | None) -> str:
        """The name under which the proof of one worker's doing is remembered."""
        manifest = subject.row.contender.manifest
        given = sha256(encoded) if encoded is not None else ""
        words = [what, system(), subject.digest, *subject.preload, self.dataset.tape_sha256, given]
        return self.memory.key(*words, str(manifest.padding), str(self.dataset.framed))

    def _judge(self, found: DidRead, verdict: Verdict) -> None:
        facts = self.dataset.facts
        verdict.content_hash, verdict.exact_hash = found.content_hash, found.exact_hash
        if found.exact_hash == facts.exact_hash and found.content_hash == facts.content_hash:
            return
        if found.changed is not None and found.doubles is not None:
            verdict.doubles = Doubles(
                changed=found.changed, total=found.doubles, max_relative=found.max_relative
            )
        if found.content_hash != facts.content_hash:
            verdict.status = "failed"
            verdict.reason = f"wrong content_hash: {found.content_hash} where {facts.content_hash} is right"
            if verdict.doubles is not None and verdict.doubles.changed:
                verdict.reason += f"{_numbers(verdict.doubles)}"
        elif verdict.doubles is None or verdict.doubles.changed == 0:
            verdict.status = "failed"
            verdict.reason = f"wrong exact_hash: {found.exact_hash} where {facts.exact_hash} is right"

    def _check_writer(self, subject: Subject) -> Verdict:
        refusal = self._refusal(subject)
        if refusal is not None:
            return refusal
        verdict = Verdict(status="ok")
        if not self._write(subject, None, verdict):
            return verdict
        manifest = subject.row.contender.manifest
        referees = self._referees.get(manifest.format, [])
        if not referees:
            verdict.status = "failed"
            verdict.reason = "its output could not be read back: no proven reader of the format is there"
            return verdict
        library = subject.row.contender.library
        assert verdict.written is not None
        # Another library's reader is the better witness, and not a version under test. One that refuses is
        # not the last word: the format may allow what that reader does not take.
        order = sorted(
            referees, key=lambda s: (s.row.contender.library == library, bool(s.row.contender.label))
        )
        refusals: list[tuple[Subject, Verdict]] = []
        for referee in order[:MOST_REFEREES]:
            proof = Verdict(status="ok")
            self._read(referee, verdict.written, proof)
            if proof.status == "ok":
                break
            refusals.append((referee, proof))
        else:
            referee, proof = refusals[0]
        verdict.verified_by = referee.row.contender.manifest.name
        verdict.content_hash, verdict.exact_hash = proof.content_hash, proof.exact_hash
        verdict.doubles = proof.doubles
        if proof.status != "ok":
            verdict.status = "failed"
            verdict.reason = f"its output, read back by {verdict.verified_by}: {proof.reason}"
            verdict.output = proof.output
        elif referee.row.contender.library == library:
            verdict.labels = ["read back by itself only"]
        if refusals and proof.status == "ok":
            names = dict.fromkeys(refused.row.contender.manifest.name for refused, _ in refusals)
            verdict.labels.append(f"its output is not read rightly by {', '.join(names)}")
        return verdict

    def _write(self, subject: Subject, encoded: Path | None, verdict: Verdict) -> bool:
        """Let a writer leave its output in the folder; False if it failed, with the reason in `verdict`."""
        key = self._proof("write", subject, encoded)
        proof = self.memory.recall(key, DidWrite) if subject.digest else None
        output = self.memory.output(key, proof) if proof else None
        if proof is None or output is None:
            output = self.folder / subject.key.translate(_PLAIN)
            try:
                proof = self._write_now(subject, encoded, output)
            except WorkerFailure as failure:
                verdict.status, verdict.reason, verdict.output = "failed", failure.reason, failure.output
                return False
            if subject.digest:
                self.memory.keep(key, proof, output)
        verdict.library_version, verdict.max_rss = proof.library_version, proof.max_rss
        verdict.bytes, verdict.hash, verdict.written = proof.bytes, proof.hash, output
        return True

    def _write_now(self, subject: Subject, encoded: Path | None, output: Path) -> DidWrite:
        with self._start(subject) as worker:
            version = describe(worker).library_version
            self._prepare(worker, subject, encoded)
            written = verify(worker, output)
        size = output.stat().st_size - self.dataset.framing if output.is_file() else -1
        if written.bytes is None or size != written.bytes:
            raise WorkerFailure("did not leave the output that it reported")
        return DidWrite(
            library_version=version,
            bytes=written.bytes,
            hash=written.hash,
            output_sha256=sha256(output),
            max_rss=worker.max_rss,
        )

    def _check_own(
        self, subject: Subject, verdicts: dict[str, Verdict], contenders: Sequence[Subject]
    ) -> Verdict:
        """A baseline or the memcpy row: it handles the smallest encoding of the group's proven rows.

        The 2016 suite's baselines handle a block of random bytes instead (verify/published.py).
        """
        if subject.row.variant == published.VARIANT:
            return self._check_on(subject, published.block(self.dataset.name, self.folder))
        group = [s for s in contenders if s.row.test == subject.row.test]
        proven = [v for v in (verdicts[s.key] for s in group) if v.status == "ok"]
        files = [(v.bytes, str(v.written or v.input), v.hash) for v in proven if v.bytes is not None]
        if not files:
            return Verdict(status="unavailable", reason="no row of its group passed the gate")
        return self._check_on(subject, min(files))

    def _check_on(self, subject: Subject, given: tuple[int, str, str] | None) -> Verdict:
        """The verdict on a row that handles bytes as they are: their number, file and hash; None for none."""
        if given is None:
            return Verdict(status="unsupported", reason="is defined for the generated dataset only")
        size, file, file_hash = given
        verdict = Verdict(status="ok", input=Path(file), bytes=size)
        if subject.row.test != "write":
            self._read(subject, Path(file), verdict)
            verdict.hash = verdict.content_hash
        elif self._write(subject, Path(file), verdict) and verdict.hash != file_hash:
            verdict.status = "failed"
            verdict.reason = f"wrong hash: {verdict.hash} where {file_hash} is right"
        return verdict


def _numbers(doubles: Doubles) -> str:
    """What is known of the numbers where content_hash, which takes whole doubles for integers, is wrong."""
    said = f"; of its numbers {doubles.changed} differ"
    if doubles.max_relative > _LARGE:
        return said
    return (
        f"{said}, by up to {doubles.max_relative:.1e} (relative): "
        "a whole double counts as an integer, so changing it is no mere rounding"
    )
