"""The step of `serbench fidelity`, and what every probe needs: which libraries, and how each is loaded."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from serbench.build import BuildFailed
from serbench.build.store import Fingerprints
from serbench.catalog.harness import Probes
from serbench.catalog.records import Catalog, Contender, Row
from serbench.catalog.tests import Test
from serbench.probe.fidelity import Subject, examine
from serbench.probe.records import Fidelity
from serbench.provision import Unavailable
from serbench.provision.toolchain import find
from serbench.run.context import BuildContext, BuildResult
from serbench.run.resume import refuse
from serbench.run.session import RunSession
from serbench.verify.proof_cache import ProofCache
from serbench.worker.process import Limits, pooled

SECONDS = 20.0
"""The longest that one answer may take."""
ONLY_READS = "it does not write, so it has nothing to read"


class FidelityStep:
    """Finds out what the libraries of `rows` change and carry, read by all libraries of their formats."""

    def __init__(self, context: BuildContext, rows: Sequence[Row]) -> None:
        self.context = context
        self.rows = rows

    def run(self, session: RunSession) -> None:
        """Raises UserError where what a run to be resumed probed has another version now."""
        build_and_probe(session, self.context, self.rows, peers=True, built=True)


def build_and_probe(
    session: RunSession, context: BuildContext, rows: Sequence[Row], peers: bool, built: bool = False
) -> None:
    """Build what is probed of `rows`, and find out its fidelity (`keep_fidelity`).

    Raises UserError where a toolchain or a library of a run to be resumed has another version now.
    """
    refuse_other_engines(session, context, rows)
    session.progress.build(context, probed_rows(context, rows, peers))
    keep_fidelity(session, context, rows, peers, built)


def refuse_other_engines(session: RunSession, context: BuildContext, rows: Sequence[Row]) -> None:
    """Raise UserError where a toolchain of `rows` has another version than in the session's run."""
    before, now = session.run.machine.compilers, engines(context.catalog, context.cache, rows)
    differing = [name for name in now if before.get(name, now[name]) != now[name]]
    refuse(
        [
            f"The toolchain of {name} has another version: {now[name]}, which was {before[name]}."
            for name in differing
        ]
    )


def engines(catalog: Catalog, cache: Path, rows: Sequence[Row]) -> dict[str, str]:
    """The versions of the toolchains that `rows` need from the set-up, by language, if they are here."""
    found = {}
    for language in dict.fromkeys(row.language for row in rows):
        for part in catalog.harness(language).toolchain.parts[:1]:
            toolchain = find(catalog.root, cache, part)
            if toolchain is not None:
                found[language] = toolchain.version
    return found


def probed_rows(context: BuildContext, rows: Sequence[Row], peers: bool) -> list[Row]:
    """The rows that must be built to probe the contenders of `rows`.

    With `peers`, all of the same language and format: they write what the chosen ones read, where these
    cannot write a value themselves.
    """
    chosen = [row.contender for row in rows if takes_part(context, row.contender)]
    ids = {contender.id for contender in chosen}
    able = [row for row in context.catalog.rows() if takes_part(context, row.contender)]
    # What has a probe of its own needs no worker.
    able = [row for row in able if not probes_of(context, row.contender)[1].built]
    formats = {(row.language, row.format) for row in able if peers and row.contender.id in ids}
    return [
        row
        for row in able
        if (row.contender.id in ids or (row.language, row.format) in formats)
        and row.test in ("write", "tree")
    ]


def probed_languages(catalog: Catalog, program: Literal["fidelity", "limits"]) -> list[str]:
    """The languages whose libraries can be probed by a program of their harness."""
    return [
        name
        for harness in catalog.harnesses.values()
        if harness.probes and getattr(harness.probes, program)
        for name in harness.languages
    ]


def takes_part(context: BuildContext, contender: Contender) -> bool:
    """Whether the contender can be probed."""
    manifest = contender.manifest
    probes = context.catalog.harness(manifest.language).probes
    if manifest.role != "contender" or contender.generated or probes is None:
        return False
    return not probes.built or (contender.folder / probes.module).is_file()


def probes_of(context: BuildContext, contender: Contender) -> tuple[Path, Probes]:
    """The folder of a contender's harness, and the probes in it."""
    language = contender.manifest.language
    probes = context.catalog.harness(language).probes
    assert probes is not None
    return context.catalog.harness_folder(language), probes


class Names(TypedDict):
    """What a record says of whom it is about."""

    contender: str
    contender_id: str
    format: str
    format_name: str


def names_of(context: BuildContext, contender: Contender, variant: str = "") -> Names:
    """What a record says of the contender, in a variant."""
    manifest, format_id = contender.manifest, Row(contender=contender, test="write", variant=variant).format
    return Names(
        contender=manifest.name,
        contender_id=contender.id,
        format=format_id,
        format_name=context.catalog.formats[format_id].name,
    )


def shape_of(contender: Contender) -> Literal["mapped", "optional", "unmapped"]:
    """The shape of the records that the contender can take."""
    schemas = contender.manifest.schemas
    if "records-optional" in schemas:
        return "optional"
    return "mapped" if not schemas or "records" in schemas else "unmapped"


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
