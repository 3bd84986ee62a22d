"""The step of `serbench strict`: what readers take and refuse, and what damaged encodings do to them."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from serbench.build import BuildFailed
from serbench.catalog.records import Catalog, Row
from serbench.catalog.tests import Test
from serbench.datasets.spec import Spec
from serbench.datasets.store import Dataset
from serbench.files import scratch
from serbench.kinds.strict.cases import Case, load_cases
from serbench.kinds.strict.damage import SANITIZED, SEED, endure
from serbench.kinds.strict.probe import UTF8, Question, digest_of, examine, labels_of
from serbench.kinds.strict.reader import Reader
from serbench.measure.records import Plan
from serbench.results.probes import Damage, Judged, Strict
from serbench.results.schema import Run
from serbench.run.context import BuildContext, BuildResult
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared, prepared
from serbench.run.probing import names_of, refuse_other_engines
from serbench.run.readers import encoder_rows
from serbench.run.resume import refuse
from serbench.run.session import RunSession
from serbench.verify.proof_cache import ProofCache, system
from serbench.worker.process import Limits, WorkerFailure, pooled

READING: tuple[Test, ...] = ("tree", "incremental")
DAMAGED = 10_000
"""The usual number of damaged encodings of each reader."""
CASE_LIMITS = Limits(memory_bytes=2 << 30, timeout=5.0)
DAMAGE_LIMITS = Limits(memory_bytes=2 << 30, timeout=2.0)
"""For an input of some hundred bytes: a reader that works on it for two seconds does not end."""
UNSURE = ("hang", "memory")
"""What is not remembered: another time the machine may have more to give."""
DOCUMENT = (
    '{"numbers":[0,-7,300,-70000,1099511627776,0.1,-2.5e10],"literals":[true,false,null],'
    '"texts":["","\u00e9","a text of more than thirty-one bytes"],"empty":[[],{}],'
    '"deep":{"er":[{"still":1}]}}'
)
"""What is damaged, after it was encoded."""


class StrictStep:
    """Finds out what the readers among `rows` take and refuse, and what they do with damaged encodings."""

    def __init__(self, context: BuildContext, rows: Sequence[Row], damaged: int) -> None:
        self.context = context
        self.rows = rows
        self.damaged = damaged

    def run(self, session: RunSession) -> None:
        """Raises UserError where what a run to be resumed probed has another version now."""
        refuse_other_engines(session, self.context, self.rows)
        session.progress.build(self.context, [*self.rows, *encoder_rows(self.context, self.rows)])
        keep_strict(session, self.context, self.rows, self.damaged)


def prepare(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    """What a plan means here. Raises UserError."""
    context, rows = inputs.context(), inputs.rows(plan.rows)
    return prepared(context, StrictStep(context, rows, plan.damaged or 0), rows)


class _Remembered(msgspec.Struct):
    """What a reader did with the cases, as it is remembered."""

    judged: list[Judged]


def reader_of(context: BuildContext, ready: BuildResult) -> Reader:
    """A reading row that was built, as the probe starts it."""
    row, subject = ready.row, ready.subject
    return Reader(
        **names_of(context, row.contender, row.variant),
        row=row.id,
        command=subject.command,
        preload=subject.preload,
        digest=subject.digest,
        padding=row.contender.manifest.padding,
    )


class _Inputs(msgspec.Struct, frozen=True):
    """What the readers of a format are given."""

    questions: list[Question]
    tape: Path
    """The tape of the document that is damaged, ..."""
    encoding: bytes | None
    """... and its encoding; None where there is none."""


class _Probe:
    """What readers of each format are given, and what is remembered of them."""

    def __init__(
        self, context: BuildContext, folder: Path, memory: ProofCache, damaged: int, anew: bool
    ) -> None:
        """Inputs are made in `folder`. Without `anew` nothing is tried, only remembered."""
        self._context = context
        self._folder = folder
        self._damaged = damaged
        self._anew = anew
        self._memory = memory
        self._cases: dict[str, list[Case]] = {}
        self._inputs: dict[str, _Inputs] = {}

    def _dataset(self, text: str) -> Dataset:
        path = self._folder / "value.json"
        path.write_text(text, encoding="utf-8")
        return self._context.store.dataset(Spec(name=path.name, path=path))

    def make_inputs(self, format_id: str) -> None:
        """Make what readers of a format are given. Raises UserError for a bad file of cases."""
        if format_id in self._cases:
            return
        self._cases[format_id] = load_cases(self._context.catalog.root, format_id)
        if not self._anew:
            return
        questions = []
        for case in self._cases[format_id]:
            made = self._dataset(case.value or "{}")
            questions.append(Question(case, made.tape, made.facts.exact_hash if case.value else ""))
        whole = self._dataset(DOCUMENT)
        encoded = self._context.canonical(whole, format_id).encoded
        encoding = encoded.path.read_bytes() if encoded else None
        self._inputs[format_id] = _Inputs(questions, whole.tape, encoding)

    def strict(self, ready: BuildResult) -> Strict | None:
        """What a reader does with the cases of its format, and with damaged encodings; None if not known."""
        row = ready.row
        record = Strict(
            **names_of(self._context, row.contender, row.variant),
            row=row.id,
            test=row.test,
            variant=row.variant,
            toolchain=self._context.toolchain(ready),
        )
        if ready.provided is not None:
            record.library_version = ready.provided.version
        if ready.status != "ok":
            record.status = "unavailable" if ready.status == "unavailable" else "failed"
            record.reason = ready.reason
            return record if self._anew else None
        record.cases = len(self._cases[row.format])
        try:
            judged = self._judged(ready)
            if judged is None:
                return None
            record.judged = judged
            record.damage = self._damage(ready)
        except WorkerFailure as failure:
            record.status, record.reason = "failed", failure.reason
        return record

    def _place(self, ready: BuildResult) -> Path:
        return self._folder / ready.row.id.replace("/", "-")

    def _judged(self, ready: BuildResult) -> list[Judged] | None:
        row, subject = ready.row, ready.subject
        words = [subject.digest, *subject.preload, digest_of(self._cases[row.format])]
        key = self._memory.key("strict", system(), *words)
        known = self._memory.get(key, _Remembered)
        if known is None and self._anew:
            reader = reader_of(self._context, ready)
            questions = self._inputs[row.format].questions
            known = _Remembered(examine(reader, questions, CASE_LIMITS, self._place(ready)))
            if not any(each.outcome in UNSURE for each in known.judged):
                self._memory.put(key, known)
        return None if known is None else known.judged

    def _damage(self, ready: BuildResult) -> Damage | None:
        row, subject = ready.row, ready.subject
        words = [subject.digest, *subject.preload, row.format, DOCUMENT, str(self._damaged), str(SEED)]
        key = self._memory.key("damage", system(), *words)
        known = self._memory.get(key, Damage)
        if known is None and self._anew and self._damaged:
            inputs = self._inputs[row.format]
            if inputs.encoding is None:
                return None
            command, sanitizer = self._sanitized(ready)
            limits = DAMAGE_LIMITS
            if sanitizer != "none":  # which reserves far more addresses than it uses
                limits = msgspec.structs.replace(limits, memory_bytes=None)
            given = inputs.encoding, self._damaged, inputs.tape
            reader = reader_of(self._context, ready)
            known = endure(reader, command, sanitizer, *given, limits, self._place(ready))
            if not any(each.kind in UNSURE for each in known.ends):
                self._memory.put(key, known)
        return known

    def _sanitized(self, ready: BuildResult) -> tuple[tuple[str, ...], Literal["library", "caller", "none"]]:
        """The command of the row built with sanitizers, and what they look at; or the usual one."""
        assert ready.provided is not None
        plain = ready.subject.command
        if not self._context.catalog.capabilities(ready.row).sanitizers:
            return plain, "none"
        try:
            built = self._context.builder.build(ready.row, ready.provided, "check")
        except BuildFailed:
            return plain, "none"
        return (*SANITIZED, *built.command), "caller" if ready.provided.distribution_build else "library"


def readers_among(catalog: Catalog, rows: Sequence[Row]) -> list[Row]:
    """Those of `rows` that can be probed: readers of a format that has cases."""
    formats = {row.format for row in rows}
    known = {format_id for format_id in formats if load_cases(catalog.root, format_id)}
    return [
        row
        for row in rows
        if row.role == "contender"
        and not row.contender.generated
        and row.test in READING
        and row.format in known
    ]


def keep_strict(
    session: RunSession, context: BuildContext, rows: Sequence[Row], damaged: int = DAMAGED, anew: bool = True
) -> None:
    """Find out the strictness of the readers among `rows` that the session's run does not have yet.

    If not `anew`, nothing is tried, and what is remembered is kept. Labels of the run's rows say what was
    found. Raises UserError where a library that the run has is of another version now.
    """
    known: Mapping[str, Strict] = {record.row: record for record in session.run.strict}
    ready = context.build(readers_among(context.catalog, rows))
    versions = {row_id: item.provided.version for row_id, item in ready.items() if item.provided is not None}
    refuse(
        [
            f"{record.contender} has another library version."
            for row_id, record in known.items()
            if versions.get(row_id, record.library_version) != record.library_version
        ]
    )
    missing = [item for row_id, item in ready.items() if row_id not in known]
    done = session.progress.counter("Probing readers", len(missing)) if anew else lambda: None

    def keep(record: Strict) -> None:
        session.keep(record)
        done()

    strict_of(context, missing, ProofCache(context.cache / "proofs"), damaged, keep, anew)
    found = {(record.row, record.toolchain): record for record in session.run.strict}
    cases = {row.format: load_cases(context.catalog.root, row.format) for row in rows}
    for row in session.run.rows:
        record = found.get((row.row, row.toolchain))
        labels = labels_of(record.judged, cases[row.format]) if record else []
        if labels:  # in the place of what its manifest states of other versions
            row.labels = [*(label for label in row.labels if label not in UTF8), *labels]


def strict_of(
    context: BuildContext,
    readers: Sequence[BuildResult],
    memory: ProofCache,
    damaged: int,
    found: Callable[[Strict], None],
    anew: bool = True,
) -> None:
    """Call `found` with the strictness of each of `readers` as it is known, from several threads.

    What `memory` holds is not found out again; without `anew`, nothing else is told.
    """
    with scratch() as folder, pooled(context.jobs) as pool:
        probe = _Probe(context, folder, memory, damaged, anew)
        for item in readers:  # one after the other
            probe.make_inputs(item.row.format)

        def one(item: BuildResult) -> None:
            record = probe.strict(item)
            if record is not None:
                found(record)

        list(pool.map(one, readers))
