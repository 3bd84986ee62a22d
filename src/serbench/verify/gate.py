"""The gate: every reader must yield the dataset's hashes, every writer's output must be read back.

By a reader that yielded both hashes, of another library where there is one. A baseline handles the smallest
encoding of its group. That asks for an order, which is in passage.py.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Lock

from serbench.catalog.records import FormatManifest
from serbench.datasets.limits import beyond, without_schema
from serbench.datasets.store import Dataset
from serbench.verify import published
from serbench.verify.encodings import Canonical, InputEncoding
from serbench.verify.judging import judge, judge_words
from serbench.verify.proof_cache import ProofCache
from serbench.verify.prover import Prover
from serbench.verify.records import Subject, Verdict
from serbench.verify.referees import Referees
from serbench.verify.sessions import Sessions
from serbench.worker.bounds import workers_at_a_time
from serbench.worker.process import Limits, WorkerFailure

NAMED = 2
"""How many of the readers that refuse a writer's output its label names."""
LARGE_OUTPUT = 16_000_000
"""Bytes of a writer's output that is removed once it has been read back."""
TAPE_COPIES, MARGIN = 10, 100_000_000
"""What a worker needs while it is proved, in sizes of the tape and in bytes: trees of maps take the most."""
_PLAIN = str.maketrans("/:@", "___")


def _lost(judged: tuple[Subject, Verdict]) -> tuple[bool, float]:
    """Return how much is lost of what a referee read back, for comparison."""
    proof = judged[1]
    return (proof.losses is not None, proof.doubles.max_relative if proof.doubles else 0.0)


def _refused_by(refused: Sequence[tuple[Subject, Verdict]]) -> list[str]:
    """Return the label that names who did not accept a writer's output that another proved."""
    names = list(dict.fromkeys(referee.row.contender.manifest.name for referee, _ in refused))
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return [f"not read correctly by {', '.join(names[:NAMED])}{more}"] if names else []


class Gate:
    """The gate for one dataset. `folder` keeps the outputs of the writers while the run goes on."""

    def __init__(
        self,
        dataset: Dataset,
        formats: dict[str, FormatManifest],
        canonical: dict[str, Canonical],
        folder: Path,
        sessions: Sessions,
        limits: Limits,
        jobs: int = 2,
        memory: ProofCache | None = None,
        words: Callable[[], Path] | None = None,
    ) -> None:
        """`sessions` has the workers.

        `words` makes the file of those that exact_hash mixes: baselines of readers need it.
        """
        self.dataset = dataset
        self.formats = formats
        self.canonical = canonical
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        size = dataset.tape.stat().st_size
        self.prover = Prover(dataset, sessions, limits.on(size), memory or ProofCache(), folder)
        self.jobs = workers_at_a_time(jobs, TAPE_COPIES * size + MARGIN)
        self._words = words
        self.referees = Referees(self.check_reader)
        self._writing = Lock()
        self._block: InputEncoding | None = None

    def _refusal(self, subject: Subject) -> Verdict | None:
        """Why the row cannot take part at all: a limit of its format or of its library."""
        manifest = subject.row.contender.manifest
        lacking = without_schema(manifest.schemas, self.dataset.schema)
        if lacking is not None:
            return Verdict(status="unsupported", reason=lacking)
        stated = self.formats[subject.row.format]
        excess = beyond(stated.limits, self.dataset.facts)
        if excess is not None:
            return Verdict(status="unsupported", reason=f"{stated.name} cannot express it: the data {excess}")
        canonical = self.canonical[subject.row.format].encoded
        size = canonical.bytes if canonical and not self.dataset.framed else None
        excess = beyond(subject.row.limits, self.dataset.facts, size)
        if excess is not None:
            return Verdict(status="unsupported", reason=f"{manifest.name} cannot take it: the data {excess}")
        if subject.row.kind.yields == "some values" and not self.dataset.has_lookup:
            return Verdict(status="unsupported", reason="the data have no value to look up")
        return None

    def _encoding(self, subject: Subject) -> InputEncoding | Verdict:
        """The canonical encoding for a row that is given one, or why there is none."""
        canonical = self.canonical[subject.row.format]
        made = canonical.encoded
        if made is None:
            return Verdict(
                status="unsupported" if canonical.unsupported else "unavailable", reason=canonical.reason
            )
        return InputEncoding(made.bytes, made.hash, made.sha256, lambda: made.path)

    def check_reader(self, subject: Subject) -> Verdict:
        """The verdict on a reader, which is given the canonical encoding."""
        refusal = self._refusal(subject)
        if refusal is not None:
            return refusal
        given = self._encoding(subject)
        if isinstance(given, Verdict):
            return given
        canonical = self.canonical[subject.row.format]
        verdict = Verdict(status="ok", input=given.file(), input_sha256=given.sha256, bytes=given.bytes)
        self._read(subject, given, verdict)
        verdict.hash = verdict.content_hash
        verdict.verified_by = canonical.encoder
        if subject.row.contender.library == canonical.library:
            verdict.labels = ["reads what its own library wrote"]
        return verdict

    def _read(self, subject: Subject, given: InputEncoding, verdict: Verdict) -> None:
        """Let a reader decode what it is `given`, and write into `verdict` what its hashes prove."""
        try:
            proof = self.prover.read(subject, given, verdict.words)
        except WorkerFailure as failure:
            verdict.fail(failure.reason, failure.output)
            return
        verdict.take(proof)
        (judge_words if verdict.words else judge)(proof, self.dataset.of(subject.row).facts, verdict)
        if verdict.status == "ok":
            self.prover.keep_read(subject, given, proof)

    def check_writer(self, subject: Subject) -> Verdict:
        """The verdict on a writer, when the readers that may read it back are known."""
        refusal = self._refusal(subject)
        if refusal is not None:
            return refusal
        verdict, given = Verdict(status="ok"), None
        if subject.row.kind.encoded:
            found = self._encoding(subject)
            if isinstance(found, Verdict):
                return found
            given = found
            verdict.input, verdict.input_sha256 = given.file(), given.sha256
        if not self._write(subject, given, verdict):
            return verdict
        output = self._output(subject, verdict)
        # A reader that refuses is not the last word: the format may allow what it does not take. Nor is one
        # that loses something itself, or sees other doubles: another may read these right.
        accepted: list[tuple[Subject, Verdict]] = []
        refused: list[tuple[Subject, Verdict]] = []
        for referee, itself in self.referees.of(subject):
            own = referee.row.contender.library == subject.row.contender.library
            if own and refused and not accepted:
                break  # what all others refuse, it may read
            proof = Verdict(status="ok")
            self._read(referee, output, proof)
            (accepted if proof.status == "ok" else refused).append((referee, proof))
            if proof.exact or (proof.status == "ok" and proof.doubles is None and itself.exact):
                break
        self._let_go(verdict)
        if not accepted and not refused:
            return self._unread(subject, verdict)
        referee, proof = min(accepted, key=_lost) if accepted else refused[0]
        verdict.verified_by = referee.row.contender.manifest.name
        verdict.content_hash, verdict.exact_hash = proof.content_hash, proof.exact_hash
        verdict.doubles, verdict.losses = proof.doubles, proof.losses
        if not accepted:
            verdict.fail(f"its output, read back by {verdict.verified_by}: {proof.reason}", proof.output)
        else:
            if referee.row.contender.library == subject.row.contender.library:
                verdict.labels = ["read back by itself only"]
            verdict.labels += _refused_by(refused)
        return verdict

    def _unread(self, subject: Subject, verdict: Verdict) -> Verdict:
        """The verdict on a writer of whose format no reader is proven: a failure only if one is here."""
        format_id = subject.row.format
        if self.referees.failed(format_id):
            verdict.fail("its output could not be read back: no reader of the format is right")
            return verdict
        nobody = f"no reader of {self.formats[format_id].name} is here: ./serbench list says what they need"
        verdict.status = "unavailable"
        verdict.reason = f"its output could not be read back: {self.canonical[format_id].reason or nobody}"
        return verdict

    def _output(self, subject: Subject, verdict: Verdict) -> InputEncoding:
        """What a writer wrote. Where the file is not there any more it is made again when it is asked for."""

        def file() -> Path:
            with self._writing:  # several baselines may ask for the same
                if verdict.written is None:
                    verdict.written = self._same_bytes(verdict) or self._write_again(subject, verdict)
                return verdict.written

        return InputEncoding(verdict.bytes or 0, verdict.hash, verdict.written_sha256, file)

    def _same_bytes(self, verdict: Verdict) -> Path | None:
        """The canonical encoding that is what the writer wrote, if one is."""
        made = (canonical.encoded for canonical in self.canonical.values())
        return next((each.path for each in made if each and each.sha256 == verdict.written_sha256), None)

    def _write_again(self, subject: Subject, verdict: Verdict) -> Path:
        path = self._place(subject)
        if self.prover.write_now(subject, verdict.input, path).output_sha256 != verdict.written_sha256:
            raise WorkerFailure(f"{subject.key} did not write the same bytes again")
        return path

    def _place(self, subject: Subject) -> Path:
        return self.folder / subject.key.translate(_PLAIN)

    def _let_go(self, verdict: Verdict) -> None:
        """Remove a large output: the folder may be in memory, and all together fill a disk."""
        written = verdict.written
        if written is not None and written.parent == self.folder and (verdict.bytes or 0) > LARGE_OUTPUT:
            written.unlink(missing_ok=True)
            verdict.written = None

    def _write(self, subject: Subject, given: InputEncoding | None, verdict: Verdict) -> bool:
        """Let a writer leave its output in the folder; False if it failed, with the reason in `verdict`."""
        try:
            proof, verdict.written = self.prover.write(subject, given, self._place(subject))
        except WorkerFailure as failure:
            verdict.fail(failure.reason, failure.output)
            return False
        verdict.take(proof)
        verdict.bytes, verdict.hash, verdict.written_sha256 = proof.bytes, proof.hash, proof.output_sha256
        return True

    def check_own(
        self, subject: Subject, verdicts: dict[str, Verdict], contenders: Sequence[Subject]
    ) -> Verdict:
        """A baseline or the memcpy row: it handles the smallest encoding of the group's proven rows.

        The 2016 suite's baselines handle a block of random bytes instead (verify/published.py).
        """
        if subject.row.variant == published.VARIANT:
            block = self._published_block()
            if block is None:
                return Verdict(status="unsupported", reason="is defined for the generated dataset only")
            return self._check_on(subject, block)
        group = [s for s in contenders if s.row.test == subject.row.test]
        proven = [s for s in group if verdicts[s.key].status == "ok" and verdicts[s.key].bytes is not None]
        if not proven:
            return Verdict(status="unavailable", reason="no row of its group passed the gate")
        smallest = min(proven, key=lambda s: (verdicts[s.key].bytes, s.key))
        words = self._words() if self._words and subject.row.kind.yields == "values" else None
        return self._check_on(subject, self._handled(smallest, verdicts[smallest.key]), words)

    def _published_block(self) -> InputEncoding | None:
        """The 2016 suite's block, made once: workers of several baselines read it at the same time."""
        with self._writing:
            if self._block is None:
                self._block = published.block(self.dataset.name, self.folder)
            return self._block

    def _handled(self, subject: Subject, verdict: Verdict) -> InputEncoding:
        """The encoding that a proven row wrote or read."""
        if subject.row.kind.writes:
            return self._output(subject, verdict)
        read = verdict.input
        assert read is not None
        return InputEncoding(verdict.bytes or 0, verdict.hash, verdict.input_sha256, lambda: read)

    def _check_on(self, subject: Subject, given: InputEncoding, words: Path | None = None) -> Verdict:
        """The verdict on a row that handles bytes as they are, and hashes the values or these `words`."""
        try:
            file = given.file()
        except WorkerFailure as failure:
            return Verdict(status="failed", reason=failure.reason, output=failure.output)
        verdict = Verdict(status="ok", input=file, input_sha256=given.sha256, bytes=given.bytes)
        if not subject.row.kind.writes:
            verdict.words = words
            self._read(subject, given, verdict)
            verdict.hash = verdict.content_hash
        elif self._write(subject, given, verdict) and verdict.hash != given.hash:
            verdict.fail(f"wrong hash: {verdict.hash} where {given.hash} is right")
        self._let_go(verdict)
        return verdict
