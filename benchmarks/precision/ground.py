"""What the experiments stand on: rows that passed the gate, and launches of them as a run makes them."""

import os
import random
import tempfile
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from hashlib import sha256
from pathlib import Path

import msgspec

from serbench.catalog.contender import Variant
from serbench.catalog.load import load_catalog
from serbench.catalog.records import Catalog, Row
from serbench.catalog.tests import Test
from serbench.datasets.spec import Spec, file_spec, parse_spec
from serbench.errors import UserError
from serbench.measure.calibration import WARMUP_NS, Calibration, Conditions, MeasurementTask
from serbench.measure.launches import group_figures, overhead_figures
from serbench.measure.noise import processors
from serbench.measure.precision import CHUNK_NS
from serbench.measure.records import Failure, Overhead, Sample
from serbench.measure.statistics import Interval, RowFigures, net_figures, ratio_interval
from serbench.measure.turns import Launch, wall_clock
from serbench.project import CACHE, ROOT
from serbench.run.context import BuildContext
from serbench.run.inputs import worker_limits
from serbench.run.proving import prove
from serbench.run.readers import needed_rows
from serbench.run.tasks import measured
from serbench.verify.proof_cache import ProofCache

HERE = Path(__file__).resolve().parent
CONTENDERS = sorted((HERE / "contenders").glob("*/"))
TIMEOUT = 120.0
BASELINE = "c/baseline"
REFINING = 5
"""Launches after which the durations of chunks are left as they are."""


class Stored(msgspec.Struct):
    """Launches of some rows: every sample, and how long each launch took."""

    rows: list[MeasurementTask]
    samples: list[Sample] = []
    overheads: list[Overhead] = []
    seconds: list[float] = []

    def figures(self, rows: Sequence[MeasurementTask] = ()) -> dict[int, RowFigures]:
        """Return figures by launch, raw and net, as if only `rows` were there.

        Without any, of all rows.
        """
        chosen = rows or self.rows
        by_row: dict[int, list[Sample]] = {row.id: [] for row in chosen}
        for sample in self.samples:
            if sample.row in by_row:
                by_row[sample.row].append(sample)
        raw = group_figures(by_row, {row.id: row.statistic for row in chosen})
        own = {
            row.id: overhead_figures(each for each in self.overheads if each.row == row.id) for row in chosen
        }
        return {number: RowFigures(found, net_figures(found, own[number])) for number, found in raw.items()}


def catalog_with(variants: Mapping[str, Mapping[str, int]] | None = None) -> Catalog:
    """All contenders and the proof's own, these in variants that take so many steps: {id: {name: steps}}."""
    catalog = load_catalog(ROOT, CONTENDERS)
    # A build knows the files in its contender's folder; ours include others too.
    sources = sorted([*HERE.rglob("*.[ch]"), *(ROOT / "contenders/c/mpack").glob("*.c")])
    digest = sha256(b"\0".join(path.read_bytes() for path in sources)).hexdigest()[:16]
    contenders = dict(catalog.contenders)
    for name, steps in (variants or {}).items():
        contender = contenders[name]
        tests: list[Test] = list(contender.manifest.tests)
        made = {
            variant: Variant(tests=tests, defines=[f"STEPS={count}", f"MADE_FROM=0x{digest}"])
            for variant, count in steps.items()
        }
        manifest = msgspec.structs.replace(contender.manifest, variants=made)
        contenders[name] = msgspec.structs.replace(contender, manifest=manifest)
    return msgspec.structs.replace(catalog, contenders=contenders)


class Ground:
    """Proves rows and makes launches of them. `seed` is that of the order in which rows are sampled."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.order = random.Random(seed)
        self.folder = folder
        self.clock = wall_clock()
        self.cpu, self.rest = processors()

    def row(self, catalog: Catalog, name: str, test: Test, variant: str = "") -> Row:
        """The row `test` of the contender `name`. Raises UserError if there is none."""
        if name not in catalog.contenders:
            raise UserError(f"there is no contender '{name}'")
        return Row(contender=catalog.contenders[name], test=test, variant=variant)

    def prove(self, catalog: Catalog, rows: Sequence[Row], data: str | Path) -> list[MeasurementTask]:
        """Build `rows` and send them through the gate on one dataset; they come back in their order.

        Raises UserError if one does not pass.
        """
        context = BuildContext(catalog, CACHE, jobs=os.cpu_count() or 1)
        spec: Spec = file_spec(data) if isinstance(data, Path) else parse_spec(data)
        context.build(needed_rows(context, rows))
        proven = prove(
            context,
            rows,
            context.datasets([spec]),
            Path(tempfile.mkdtemp(dir=self.folder)),
            worker_limits(TIMEOUT),
            proofs=ProofCache(CACHE / "proofs"),
        )[0]
        found = {}
        for record, ready, said in proven.rows:
            if record.status != "ok":
                raise UserError(f"{record.row} cannot be measured: {record.reason}")
            found[record.row] = measured(catalog, proven, record, ready, said)
        return [found[row.id] for row in rows]

    @contextmanager
    def _on(self, processors: Iterable[int]) -> Iterator[None]:
        before = os.sched_getaffinity(0)
        os.sched_setaffinity(0, processors)
        try:
            yield
        finally:
            os.sched_setaffinity(0, before)

    def aside(self) -> AbstractContextManager[None]:
        """Keep this process off the processor that is measured on."""
        return self._on(self.rest)

    def pinned(self) -> AbstractContextManager[None]:
        """Start programs on the processor that is measured on, if there is a choice."""
        return nullcontext() if self.cpu is None else self._on({self.cpu})

    def conditions(self, warmup_ns: int = WARMUP_NS) -> Conditions:
        """The conditions of a run without an end."""
        return Conditions(
            limits=worker_limits(TIMEOUT),
            cpu=self.cpu,
            fragment=True,
            chunk_ns=CHUNK_NS,
            warmup_ns=warmup_ns,
            clock=self.clock,
            deadline=float("inf"),
        )

    def launch(
        self,
        stored: Stored,
        calibration: Calibration,
        seconds_per_row: float,
        chunks: int | None = None,
        warmup_ns: int = WARMUP_NS,
    ) -> None:
        """Make one more launch of the rows of `stored`, as a run does. Raises UserError if a row fails."""

        def keep(record: Sample | Overhead | Failure) -> None:
            if isinstance(record, Failure):
                raise UserError(f"a row failed while it was measured: {record.reason}")
            if isinstance(record, Overhead):
                stored.overheads.append(record)
            else:
                stored.samples.append(record)

        start = time.monotonic()
        with self.aside():
            given = self.conditions(warmup_ns)
            launch = Launch(len(stored.seconds), stored.rows, calibration, given, self.order, keep, chunks)
            launch.run(seconds_per_row * len(stored.rows))
        stored.seconds.append(time.monotonic() - start)
        if len(stored.seconds) <= REFINING:
            calibration.refine({row: found.raw for row, found in stored.figures().items()})

    def store(
        self,
        rows: Sequence[MeasurementTask],
        most: int,
        seconds_per_row: float,
        within: float,
        warmup_ns: int = WARMUP_NS,
    ) -> Stored:
        """Make `most` launches of `rows`, or as many as end `within` so many seconds, at least two."""
        stored, calibration = Stored(list(rows)), Calibration()
        end = time.monotonic() + within
        while len(stored.seconds) < most:
            longest = max(stored.seconds, default=0.0)
            if len(stored.seconds) >= 2 and time.monotonic() + longest > end:
                break
            self.launch(stored, calibration, seconds_per_row, warmup_ns=warmup_ns)
        return stored


def deviation(measured: Sequence[float], expected: Sequence[float]) -> Interval:
    """Return measured / expected - 1, paired by launch, by the statistic that `compare` has for ratios.

    Raises UserError if a time is not positive, so that there is no ratio, and ValueError if one has more.
    """
    pairs = list(zip(measured, expected, strict=True))
    found = ratio_interval(*(dict(enumerate(side)) for side in zip(*pairs, strict=True)))
    if found is None:
        raise UserError("a row took no time at all, so no ratio can be computed")
    return Interval(*(bound - 1 for bound in found))


def copies(row: MeasurementTask, count: int, first: int) -> list[MeasurementTask]:
    """The same program under `count` names, each of which gets a process of its own."""
    return [msgspec.structs.replace(row, id=first + n) for n in range(count)]
