"""The steps of `serbench fidelity` and `limits`: which libraries are probed, and how each is loaded."""

import threading
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Literal, TypedDict

from serbench.build.store import Fingerprints
from serbench.catalog.harness import Probes
from serbench.catalog.records import Catalog, Contender, Row, Test
from serbench.files import scratch
from serbench.probe.fidelity import Subject, examine
from serbench.probe.limits import DIRECTIONS, Room, Search, Shape
from serbench.probe.records import Direction, Fidelity, Payload
from serbench.provision.toolchain import find
from serbench.run.context import BuildContext, BuildResult
from serbench.run.resume import refuse
from serbench.run.session import RunSession
from serbench.verify.proof_cache import ProofCache
from serbench.worker.bounds import free_memory, most_memory
from serbench.worker.process import Limits, pooled

TESTS_OF: dict[Direction, Test] = {"encode": "write", "decode": "tree"}
SECONDS = 20.0
"""The longest that one answer may take."""
ATTEMPT_SECONDS, ATTEMPT_SECONDS_DEFAULT_HEAP = 60.0, 300.0
"""The longest that one attempt at a payload may take, with a fixed heap and with the default one."""
MOST_AMPLE_MB = 4096
ONLY_READS = "it does not write, so it has nothing to read"


class FidelityStep:
    """Finds out what the libraries of `rows` change and carry, read by all libraries of their formats."""

    def __init__(self, context: BuildContext, rows: Sequence[Row]) -> None:
        self.context = context
        self.rows = rows

    def run(self, session: RunSession) -> None:
        """Raises UserError where what a run to be resumed probed has another version now."""
        _build_and_probe(session, self.context, self.rows, peers=True)


class LimitsStep:
    """Searches the payload limits of the libraries of `rows` with so large a heap; None for the default."""

    def __init__(self, context: BuildContext, rows: Sequence[Row], heap_mb: int | None) -> None:
        self.context = context
        self.rows = rows
        self.heap_mb = heap_mb

    def run(self, session: RunSession) -> None:
        """Raises UserError where what a run to be resumed probed has another version now."""
        heap_mb = self.heap_mb
        ample = max(MOST_AMPLE_MB // 4, heap_mb or 0, min(MOST_AMPLE_MB, free_memory() // 2 // 2**20))
        room = Room(
            heap_mb=heap_mb,
            # Never less than what is searched with, or making the input would be the limit.
            ample_mb=ample,
            seconds=ATTEMPT_SECONDS if heap_mb else ATTEMPT_SECONDS_DEFAULT_HEAP,
            memory_bytes=most_memory(),
        )
        _build_and_probe(session, self.context, self.rows, peers=False)
        jobs = self.context.jobs if heap_mb else 1
        done = {(payload.contender_id, payload.direction) for payload in session.run.payloads}
        with scratch() as folder:
            count = session.progress.counter
            payloads_of(self.context, self.rows, room, folder, jobs, session.keep, count, done)


def _build_and_probe(session: RunSession, context: BuildContext, rows: Sequence[Row], peers: bool) -> None:
    before, now = session.run.machine.compilers, engines(context.catalog, context.cache, rows)
    differing = [name for name in now if before.get(name, now[name]) != now[name]]
    refuse(
        [
            f"The toolchain of {name} has another version: {now[name]}, which was {before[name]}."
            for name in differing
        ]
    )
    session.progress.build(context, probed_rows(context, rows, peers))
    keep_fidelity(session, context, rows, peers)


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
    """The rows that must be built to probe the contenders of `rows`: with `peers`, all of their formats.

    These are there to write what the chosen ones read, where they cannot write a value themselves.
    """
    chosen = [row.contender for row in rows if _takes_part(context, row.contender)]
    ids = {contender.id for contender in chosen}
    able = [row for row in context.catalog.rows() if _takes_part(context, row.contender)]
    formats = {row.format for row in able if peers and row.contender.id in ids}
    return [
        row
        for row in able
        if (row.contender.id in ids or row.format in formats) and row.test in ("write", "tree")
    ]


def probed_languages(catalog: Catalog) -> list[str]:
    """The languages whose libraries can be probed."""
    return [name for harness in catalog.harnesses.values() if harness.probes for name in harness.languages]


def _takes_part(context: BuildContext, contender: Contender) -> bool:
    manifest = contender.manifest
    return manifest.role == "contender" and context.catalog.harness(manifest.language).probes is not None


def _probes(context: BuildContext, contender: Contender) -> tuple[Path, Probes]:
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


def _names(context: BuildContext, contender: Contender, variant: str = "") -> Names:
    manifest, format_id = contender.manifest, Row(contender=contender, test="write", variant=variant).format
    return Names(
        contender=manifest.name,
        contender_id=contender.id,
        format=format_id,
        format_name=context.catalog.formats[format_id].name,
    )


def _shape(contender: Contender) -> Literal["mapped", "optional", "unmapped"]:
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
    harness, probes = _probes(context, contender)
    probe, path = Path(write.built.module).parent / probes.module, harness / probes.fidelity
    fingerprints = Fingerprints()
    words = [write.built.command[0], str(path), write.built.module, read.built.module]
    return Subject(
        **_names(context, contender, variant),
        variant=variant,
        library=write.provided.source.name if write.provided.root else contender.id,
        library_version=write.provided.version,
        shape=_shape(contender),
        command=tuple([*words, str(probe)] if probe.is_file() else words),
        digest=f"{write.built.digest} {read.built.digest} {fingerprints.folder(path.parent)}",
    )


def fidelity_of(
    context: BuildContext,
    rows: Sequence[Row],
    memory: ProofCache,
    counted: Callable[[str, int], Callable[[], None]],
    peers: bool = True,
) -> Iterator[Fidelity]:
    """Yield what the libraries of `rows` change and carry, by contender and variant, in the catalog's order.

    `counted` is told the number of libraries, and what it returns is called after each. Rows in languages
    without probes take no part. With `peers` they also read what any library of their format wrote;
    otherwise only what those of `rows` did, and no other is built or probed.
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
            subjects += [_subject(context, ready, contender, variant) for variant in variants]
        elif contender.id in wanted:
            lacking.append(_lacking(context, contender, bad))
    if subjects:
        done = counted("Probing fidelity", len(subjects))
        found = examine(subjects, memory, Limits(timeout=SECONDS), context.jobs, done)
        yield from (record for record in found if record.contender_id in wanted)
    yield from lacking


def keep_fidelity(session: RunSession, context: BuildContext, rows: Sequence[Row], peers: bool) -> None:
    """Find out the fidelity of the libraries of `rows` that the session's run does not have yet.

    Raises UserError where a library that it has is of another version now.
    """
    known = {(record.contender_id, record.variant): record for record in session.run.fidelity}
    proofs = ProofCache(context.cache / "proofs")
    found = list(fidelity_of(context, rows, proofs, session.progress.counter, peers))
    pairs = [(known.get((record.contender_id, record.variant), record), record) for record in found]
    changed = dict.fromkeys(old.contender for old, new in pairs if old.library_version != new.library_version)
    refuse([f"{name} has another library version." for name in changed])
    for old, record in pairs:
        if old is record:
            session.keep(record)


def _lacking(context: BuildContext, contender: Contender, bad: BuildResult | None) -> Fidelity:
    """Why a contender cannot be probed: a row that was not built, or that it writes nothing."""
    return Fidelity(
        **_names(context, contender),
        status="failed" if bad and bad.status != "unavailable" else "unavailable",
        reason=bad.reason if bad else ONLY_READS,
    )


def payloads_of(
    context: BuildContext,
    rows: Sequence[Row],
    room: Room,
    folder: Path,
    jobs: int,
    found: Callable[[Payload], None],
    counted: Callable[[str, int], Callable[[], None]],
    known: Collection[tuple[str, Direction]] = (),
) -> None:
    """Search the payload limits of the contenders of `rows` that are not `known`, `jobs` at a time.

    `found` is called, one at a time, with every limit as it is known; what was found stays when a search is
    interrupted. Encodings are made in `folder`.
    """
    contenders = (row.contender for row in rows if _takes_part(context, row.contender))
    wanted = list({contender.id: contender for contender in contenders}.values())
    plain = [Row(contender=c, test=t) for c in wanted for t in TESTS_OF.values() if t in c.manifest.tests]
    ready = context.build(plain)
    search = Search(room, folder)
    lock = threading.Lock()
    shapes = [_payload_shape(context, ready, contender) for contender in wanted]
    directions = [
        (shape, direction)
        for shape in shapes
        for direction in DIRECTIONS
        if _has(shape, direction) and (shape.contender_id, direction) not in known
    ]
    done = counted("Searching limits", len(directions))

    def one(job: tuple[Shape | Payload, Direction]) -> None:
        shape, direction = job
        record = search.limit(shape, direction) if isinstance(shape, Shape) else shape
        with lock:
            found(record)
        done()

    with pooled(jobs) as pool:
        list(pool.map(one, directions))


def _has(shape: Shape | Payload, direction: Direction) -> bool:
    """Whether the contender can be examined in this direction."""
    return direction in shape.modules if isinstance(shape, Shape) else direction == shape.direction


def _payload_shape(
    context: BuildContext, ready: Mapping[str, BuildResult], contender: Contender
) -> Shape | Payload:
    """A contender as the search starts it, or why it cannot be."""
    mine: dict[Direction, BuildResult] = {
        direction: ready[f"{contender.id}:{test}"]
        for direction, test in TESTS_OF.items()
        if f"{contender.id}:{test}" in ready
    }
    bad = next((item for item in mine.values() if item.status != "ok"), None)
    if bad is not None or "encode" not in mine:
        return Payload(
            **_names(context, contender),
            direction="encode",
            status="unavailable",
            reason=bad.reason if bad else ONLY_READS,
        )
    first = mine["encode"]
    harness, probes = _probes(context, contender)
    assert first.built is not None and first.provided is not None
    return Shape(
        **_names(context, contender),
        library_version=first.provided.version,
        shape="unmapped" if _shape(contender) == "unmapped" else "mapped",
        program=(first.built.command[0], *probes.limits_options),
        heap_option=probes.heap_option,
        script=str(harness / probes.limits),
        modules={direction: item.built.module for direction, item in mine.items() if item.built is not None},
    )
