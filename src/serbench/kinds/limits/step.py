"""The step of `serbench limits`: how large a document each library encodes, and decodes."""

import threading
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path

from serbench.catalog.records import Contender, Row
from serbench.catalog.tests import Test
from serbench.files import scratch
from serbench.kinds.limits.search import Room, Search, Shape
from serbench.measure.records import Plan
from serbench.results.probes import Direction, Payload
from serbench.results.schema import Run
from serbench.run.context import BuildContext, BuildResult
from serbench.run.inputs import Inputs
from serbench.run.kind import Prepared, companions, prepared
from serbench.run.probing import (
    ONLY_READS,
    names_of,
    probed_rows,
    probes_of,
    refuse_other_engines,
    shape_of,
    takes_part,
)
from serbench.run.session import RunSession
from serbench.worker.bounds import free_memory, most_memory
from serbench.worker.process import pooled

TESTS_OF: dict[Direction, Test] = {"encode": "write", "decode": "tree"}
ATTEMPT_SECONDS, ATTEMPT_SECONDS_DEFAULT_HEAP = 60.0, 300.0
"""The longest that one attempt at a payload may take, with a fixed heap and with the default one."""
MOST_AMPLE_MB = 4096


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
        refuse_other_engines(session, self.context, self.rows)
        session.progress.build(self.context, probed_rows(self.context, self.rows, peers=False))
        for companion in companions("limits"):
            companion.keep(session, self.context, self.rows)
        jobs = self.context.jobs if heap_mb else 1
        done = {(payload.contender_id, payload.direction) for payload in session.run.payloads}
        with scratch() as folder:
            counted = session.progress.counter
            payloads_of(self.context, self.rows, room, folder, jobs, session.keep, counted, done)


def prepare(plan: Plan, inputs: Inputs, _earlier: Run | None) -> Prepared:
    """What a plan means here. Raises UserError."""
    context, rows = inputs.context(), inputs.rows(plan.rows)
    return prepared(context, LimitsStep(context, rows, plan.heap_mb), rows)


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
    contenders = (row.contender for row in rows if takes_part(context, row.contender))
    wanted = list({contender.id: contender for contender in contenders}.values())
    plain = [Row(contender=c, test=t) for c in wanted for t in TESTS_OF.values() if t in c.manifest.tests]
    ready = context.build(plain)
    search = Search(room, folder)
    lock = threading.Lock()
    shapes = [_payload_shape(context, ready, contender) for contender in wanted]
    directions = [
        (shape, direction)
        for shape in shapes
        for direction in (shape.modules if isinstance(shape, Shape) else [shape.direction])
        if (shape.contender_id, direction) not in known
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
            **names_of(context, contender),
            direction="encode",
            status="unavailable",
            reason=bad.reason if bad else ONLY_READS,
        )
    first = mine["encode"]
    harness, probes = probes_of(context, contender)
    assert first.built is not None and first.provided is not None
    return Shape(
        **names_of(context, contender),
        library_version=first.provided.version,
        shape="unmapped" if shape_of(contender) == "unmapped" else "mapped",
        program=(*first.built.interpreter, *probes.limits_options),
        heap_option=probes.heap_option,
        script=str(harness / probes.limits),
        modules={direction: item.built.module for direction, item in mine.items() if item.built is not None},
    )
