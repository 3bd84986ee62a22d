"""The step of `serbench fidelity`, and what it finds out of libraries beside other kinds of run."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal

from serbench.build import BuildFailed
from serbench.build.store import Fingerprints
from serbench.catalog.records import Contender, Row
from serbench.catalog.tests import Test
from serbench.kinds.fidelity.probe import Subject, examine
from serbench.measure.records import Plan
from serbench.provision import Unavailable
from serbench.results.probes import Fidelity
from serbench.results.schema import Run
from serbench.run.context import BuildContext, BuildResult
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared, prepared
from serbench.run.probing import (
    ONLY_READS,
    names_of,
    probed_rows,
    probes_of,
    refuse_other_engines,
    shape_of,
    takes_part,
)
from serbench.run.resume import refuse
from serbench.run.session import RunSession
from serbench.verify.proof_cache import ProofCache
from serbench.worker.process import Limits, pooled

SECONDS = 20.0
"""The longest that one answer may take."""


class FidelityStep:
    """Finds out what the libraries of `rows` change and carry, read by all libraries of their formats."""

    def __init__(self, context: BuildContext, rows: Sequence[Row]) -> None:
        self.context = context
        self.rows = rows

    def run(self, session: RunSession) -> None:
        """Raises UserError where what a run to be resumed probed has another version now."""
        refuse_other_engines(session, self.context, self.rows)
        session.progress.build(self.context, probed_rows(self.context, self.rows, peers=True))
        keep_fidelity(session, self.context, self.rows, peers=True, built=True)


def prepare(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    """What a plan means here. Raises UserError."""
    context, rows = inputs.context(), inputs.rows(plan.rows)
    return prepared(context, FidelityStep(context, rows), rows)


def _module(
    ready: Mapping[str, BuildResult], contender: Contender, test: Test, variant: str
) -> BuildResult | None:
    """The row of a test in a variant, or its plain one."""
    names = [f"{contender.id}:{test}:{variant}", f"{contender.id}:{test}"]
    return next((ready[name] for name in names if name in ready), None)


def _subject(
    context: BuildContext, ready: Mapping[str, BuildResult], contender: Contender, variant: str
) -> Subject:
    """The subject of a contender all of whose rows were built."""
    write, read = (_module(ready, contender, test, variant) for test in ("write", "tree"))
    read = read or write  # one that only writes brings its own way of reading
    assert write is not None and read is not None
    assert write.built is not None and read.built is not None and write.provided is not None
    harness, probes = probes_of(context, contender)
    probe, path = Path(write.built.module).parent / probes.module, harness / probes.fidelity
    fingerprints = Fingerprints()
    words = [*write.built.interpreter, str(path), write.built.module, read.built.module]
    return Subject(
        **names_of(context, contender, variant),
        variant=variant,
        library=write.provided.source.name if write.provided.root else contender.id,
        library_version=write.provided.version,
        shape=shape_of(contender),
        command=tuple([*words, str(probe)] if probe.is_file() else words),
        digest=f"{write.built.digest} {read.built.digest} {fingerprints.folder(path.parent)}",
    )


def fidelity_of(
    context: BuildContext,
    rows: Sequence[Row],
    memory: ProofCache,
    counted: Callable[[str, int], Callable[[], None]],
    peers: bool = True,
    built: bool = False,
) -> Iterator[Fidelity]:
    """Yield what the libraries of `rows` change and carry, by contender and variant, in the catalog's order.

    `counted` is told the number of libraries, and what it returns is called after each. Rows in languages
    without probes take no part. With `peers` they also read what any library of their format wrote;
    otherwise only what those of `rows` did, and no other is built or probed. Probes that must be built take
    part if `built`.
    """
    ready = context.build(probed_rows(context, rows, peers))
    wanted = {row.contender.id for row in rows}
    subjects: list[Subject] = []
    lacking: list[Fidelity] = []
    for contender in {item.row.contender.id: item.row.contender for item in ready.values()}.values():
        mine = [item for item in ready.values() if item.row.contender.id == contender.id]
        bad = next((item for item in mine if item.status != "ok"), None)
        writes = any(item.row.test == "write" for item in mine)
        if bad is None and writes:
            variants = dict.fromkeys(["", *(item.row.variant for item in mine)])
            different: dict[tuple[str, ...], Subject] = {}
            for variant in variants:  # of which one may only run differently, as without garbage collection
                subject = _subject(context, ready, contender, variant)
                different.setdefault(subject.command, subject)
            subjects += different.values()
        elif contender.id in wanted:
            lacking.append(_lacking(context, contender, bad))
    if built:
        for made in _built_subjects(context, rows, peers):
            if isinstance(made, Subject):
                subjects.append(made)
            elif made.contender_id in wanted:
                lacking.append(made)
    if subjects:
        done = counted("Probing fidelity", len(subjects))
        found = examine(subjects, memory, Limits(timeout=SECONDS), context.jobs, done)
        yield from (record for record in found if record.contender_id in wanted)
    yield from lacking


def _built_subjects(context: BuildContext, rows: Sequence[Row], peers: bool) -> Iterator[Subject | Fidelity]:
    """The probes that are built of the contenders of `rows`, or why one is not; with `peers` of all that
    have the language and the format of one.
    """
    able = [
        contender
        for contender in context.catalog.contenders.values()
        if takes_part(context, contender) and probes_of(context, contender)[1].built
    ]
    ids = {row.contender.id for row in rows}
    kinds = {each.id: (each.manifest.language, each.manifest.format) for each in able}
    formats = {kinds[name] for name in ids if peers and name in kinds}
    chosen = [each for each in able if each.id in ids or kinds[each.id] in formats]
    context.libraries.provide(chosen)
    with pooled(context.jobs) as pool:
        yield from pool.map(lambda contender: _built_subject(context, contender), chosen)


def _built_subject(context: BuildContext, contender: Contender) -> Subject | Fidelity:
    try:
        library = context.library(contender.id)
        made = context.builder.build(Row(contender=contender, test="write"), library, "speed", "probe")
    except (BuildFailed, Unavailable) as error:
        without = isinstance(error, Unavailable) or error.unavailable
        status: Literal["failed", "unavailable"] = "unavailable" if without else "failed"
        return Fidelity(**names_of(context, contender), status=status, reason=error.reason)
    return Subject(
        **names_of(context, contender),
        library=library.source.name,
        library_version=library.version,
        shape=shape_of(contender),
        command=tuple(made.command),
        digest=made.digest,
    )


def keep_fidelity(
    session: RunSession, context: BuildContext, rows: Sequence[Row], peers: bool, built: bool = False
) -> None:
    """Find out the fidelity of the libraries of `rows` that the session's run does not have yet.

    Raises UserError where a library that it has is of another version now.
    """
    known = {(record.contender_id, record.variant): record for record in session.run.fidelity}
    proofs = ProofCache(context.cache / "proofs")
    found = list(fidelity_of(context, rows, proofs, session.progress.counter, peers, built))
    pairs = [(known.get((record.contender_id, record.variant), record), record) for record in found]
    changed = dict.fromkeys(old.contender for old, new in pairs if old.library_version != new.library_version)
    refuse([f"{name} has another library version." for name in changed])
    for old, record in pairs:
        if old is record:
            session.keep(record)


def _lacking(context: BuildContext, contender: Contender, bad: BuildResult | None) -> Fidelity:
    """Why a contender cannot be probed: a row that was not built, or that it writes nothing."""
    return Fidelity(
        **names_of(context, contender),
        status="failed" if bad and bad.status != "unavailable" else "unavailable",
        reason=bad.reason if bad else ONLY_READS,
    )
