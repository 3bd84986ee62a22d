"""What is counted and not timed: heap, code size, compressed size, instructions."""

import gzip
import shutil
import time
import zlib
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

import msgspec
import zstandard

from serbench.build import BuildFailed
from serbench.build.configuration import Configuration
from serbench.catalog.records import Row
from serbench.datasets.messages import each_message
from serbench.datasets.records import Compressed
from serbench.files import sha256
from serbench.measure.calibration import MeasurementTask
from serbench.measure.codesize import NotMeasurable, text_and_data
from serbench.measure.heap import count_heap
from serbench.measure.instructions import NotCountable, count_instructions
from serbench.measure.loading import load
from serbench.provision import Provided, Unavailable
from serbench.results.schema import RowRecord
from serbench.run.context import BuildContext, BuildResult
from serbench.run.proving import VerifiedDataset
from serbench.run.tasks import MEMORY_MARGIN, measured
from serbench.verify.proof_cache import ProofCache, system
from serbench.verify.records import Verdict
from serbench.worker.bounds import workers_at_a_time
from serbench.worker.process import Limits, WorkerFailure, pooled
from serbench.worker.records import Heap

COMPRESSORS: dict[str, Callable[[], Callable[[bytes], bytes]]] = {
    "gzip -6": lambda: lambda data: gzip.compress(data, 6, mtime=0),
    "zstd -3": lambda: zstandard.ZstdCompressor(level=3).compress,
}
"""By name, what makes a compressor, which is not for several threads."""
REPEATS, REPEAT_BYTES = 5, 10_000_000
COPIES = 2
"""Copies of an encoding in memory while it is compressed."""

ProgressFactory = Callable[[str, int], Callable[[], None]]
"""Told the name and the number of things to count; what it returns is called after each."""
T = TypeVar("T")


class Counter:
    """Counts for all rows of a run that passed the gate, into their records."""

    def __init__(
        self,
        context: BuildContext,
        proven: Sequence[VerifiedDataset],
        limits: Limits,
        proofs: ProofCache,
        known: Container[int] = (),
    ) -> None:
        """Rows with the numbers `known` are left out."""
        self.context = context
        self.proven = proven
        self.limits = limits
        self.proofs = proofs
        self._passed = [
            (item, *row)
            for item in proven
            for row in item.rows
            if row[0].status == "ok" and row[0].id not in known
        ]

    def _each(
        self,
        what: str,
        jobs: Iterable[T],
        action: Callable[[T], None],
        counted: ProgressFactory,
        each: int = 0,
    ) -> None:
        """Do `action` with every thing, several at a time if each needs no more than `each` bytes."""
        things = list(jobs)
        if not things:
            return
        step = counted(what, len(things))

        def one(thing: T) -> None:
            action(thing)
            step()

        with pooled(workers_at_a_time(self.context.jobs, each)) as pool:
            list(pool.map(one, things))

    @property
    def _largest(self) -> int:
        return max((verdict.max_rss + MEMORY_MARGIN for *_, verdict in self._passed), default=0)

    def _row(self, job: tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]) -> MeasurementTask:
        return measured(self.context.catalog, *job)

    def heaps(self, folder: Path, counted: ProgressFactory) -> None:
        """The heap use of one iteration of every row; the counting library is copied to `folder`."""
        able = [job for job in self._passed if self.context.catalog.capabilities(job[2].row).heap != "none"]
        if not able:
            return
        # A loader's list of libraries can have no space or colon in it, which the clone's path may have.
        counter = Path(shutil.copy(self.context.tool("heap"), folder))
        counter_sha256 = sha256(counter)

        def count(job: tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]) -> None:
            item, record, ready, verdict = job
            assert ready.built is not None
            words = [
                "heap",
                system(),
                ready.built.digest,
                *ready.preload,
                item.dataset.of(ready.row).tape_sha256,
            ]
            key = self.proofs.key(*words, verdict.input_sha256, str(item.dataset.framed), counter_sha256)
            record.heap = self.proofs.get(key, Heap)
            if record.heap is not None:
                return
            try:
                record.heap = count_heap(self._row(job), counter, self.limits)
            except WorkerFailure as error:
                record.labels.append(f"its use of the heap could not be counted: {error.reason}")
                return
            self.proofs.put(key, record.heap)

        self._each("Counting the heap", able, count, counted, self._largest)

    def instructions(self, counted: ProgressFactory, keep: Callable[[RowRecord], None]) -> None:
        """Instructions of one iteration of every row without any whose harness lets them be counted.

        `keep` gets each of these rows.
        """

        def count(job: tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]) -> None:
            record, ready = job[1], job[2]
            if self.context.catalog.capabilities(ready.row).instructions == "none":
                record.instructions_reason = "not counted in this language"
                return
            try:
                counted_as = count_instructions(self._row(job), seed, self.limits)
            except NotCountable as error:
                record.instructions_reason = str(error)
                return
            record.instructions = counted_as.instructions
            # The counter's processor has not all instructions of the bare one, so another kernel may run.
            if counted_as.library_version not in ("", job[3].library_version):
                record.labels.append(f"instructions counted with {counted_as.library_version}")

        def kept(job: tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]) -> None:
            count(job)
            keep(job[1])

        left = [job for job in self._passed if job[1].instructions is None and not job[1].instructions_reason]
        seed = self.context.tool("seed") if left else Path()
        self._each("Counting instructions", left, kept, counted, self._largest)

    def code_sizes(self, counted: ProgressFactory, growth: bool = True) -> None:
        """Code size of every row that has a form to ship, once for all datasets and allocators.

        `growth`: also by how much the code grows with more of the library.
        """
        by_build: dict[tuple[str, str, Configuration], list[tuple[RowRecord, BuildResult]]] = {}
        for _, record, ready, _ in self._passed:
            form = self.context.catalog.capabilities(ready.row).code_size
            if record.role == "contender" and form == "bundle":
                record.code_size_kind = "bundle"
            if record.role == "contender" or (record.role == "baseline" and form == "static"):
                build = msgspec.structs.replace(ready.configuration, allocator="system")
                schema = ready.row.schema.path.name if ready.row.schema else ""
                by_build.setdefault((record.row, schema, build), []).append((record, ready))

        def count(job: tuple[tuple[str, str, Configuration], list[tuple[RowRecord, BuildResult]]]) -> None:
            (_, _, build), rows = job
            size, whole, grown_by, reason = None, None, None, ""
            ready = rows[0][1]
            try:
                if rows[0][0].role == "baseline":
                    whole = self.whole_size(ready, build)
                else:
                    size = self.code_size(ready, build)
                    grown_by = self.code_growth(ready, build) if growth else None
            except (BuildFailed, NotMeasurable, Unavailable) as error:
                reason = f"not measurable: {error}"
            for record, _ in rows:
                record.code_size, record.whole_size, record.code_size_reason = size, whole, reason
                record.code_growth = grown_by
                if grown_by is not None and ready.row.grown is not None:
                    manifest = ready.row.contender.manifest
                    adds = manifest.variants[ready.row.grown.variant].adds
                    record.labels.append(f"{adds} adds {grown_by:,} bytes of code")

        self._each("Sizing the code", by_build.items(), count, counted)

    def code_size(self, ready: BuildResult, build: Configuration) -> int:
        """The bytes of a row's program less its baseline's.

        Raises BuildFailed, Unavailable or NotMeasurable.
        """
        catalog = self.context.catalog
        baseline = catalog.harness(ready.row.language).baseline
        row = Row(contender=catalog.contenders[baseline], test=ready.row.test)
        return self.whole_size(ready, build) - self._size(
            row, self.context.library(baseline), build, ready.row
        )

    def code_growth(self, ready: BuildResult, build: Configuration) -> int | None:
        """The bytes by which the row's program grows where it uses more of its library, if that is stated.

        Raises BuildFailed or NotMeasurable.
        """
        grown = ready.row.grown
        if grown is None:
            return None
        assert ready.provided is not None
        return self._size(grown, ready.provided, build) - self.whole_size(ready, build)

    def whole_size(self, ready: BuildResult, build: Configuration) -> int:
        """The bytes of a row's program, nothing subtracted. Raises BuildFailed or NotMeasurable."""
        assert ready.provided is not None
        return self._size(ready.row, ready.provided, build)

    def _size(self, row: Row, library: Provided, build: Configuration, kin: Row | None = None) -> int:
        builder = self.context.builders[build.toolchain]
        file = builder.build(row, library, build.profile, "size", kin, cpu=build.cpu).size_of
        if self.context.catalog.capabilities(row).code_size == "static":
            return text_and_data(file, f"{builder.cross.tools if builder.cross else ''}size")
        return file.stat().st_size

    def loads(self, counted: ProgressFactory) -> None:
        """How long every library takes to load and how much of it is installed, where a program tells it.

        One program at a time, because this is a time.
        """
        by_command: dict[tuple[str, ...], list[RowRecord]] = {}
        for _, record, ready, _ in self._passed:
            able = self.context.catalog.capabilities(ready.row).load != "none"
            if able and record.role == "contender" and record.load_ns is None:
                assert ready.built is not None
                by_command.setdefault(tuple(ready.built.load_command), []).append(record)
        step = counted("Loading libraries", len(by_command)) if by_command else None
        for command, records in by_command.items():
            try:
                found = load(command)
            except NotMeasurable as error:
                for record in records:
                    record.labels.append(f"its loading could not be measured: {error.reason}")
            else:
                for record in records:
                    record.load_ns, record.installed_bytes = found.load_ns, found.installed_bytes
            if step:
                step()

    def compressed(self, counted: ProgressFactory) -> None:
        """Size and time of every canonical encoding after general compressors.

        Messages are sent one by one, so each is compressed by itself, and what comes out is added up.
        """
        jobs = [
            (item.record.encodings[format_id].compressed, path, item.dataset.framed)
            for item in self.proven
            for format_id, path in item.encoded.items()
        ]

        def compress(job: tuple[dict[str, Compressed], Path, bool]) -> None:
            found, path, framed = job
            parts = list(each_message(path)) if framed else [path.read_bytes()]
            large = sum(map(len, parts)) > REPEAT_BYTES
            for name, make in COMPRESSORS.items():
                # Large data take long, and a time that only tells the order of magnitude need not be new.
                words = ["compressed", name, zstandard.__version__, zlib.ZLIB_RUNTIME_VERSION, system()]
                key = self.proofs.key(*words, str(framed), sha256(path)) if large else ""
                known = self.proofs.get(key, Compressed) if large else None
                found[name] = known or _compress(parts, make(), 1 if large else REPEATS)
                if large and known is None:
                    self.proofs.put(key, found[name])

        largest = max((path.stat().st_size for _, path, _ in jobs), default=0)
        self._each("Compressing", jobs, compress, counted, COPIES * largest)


def _compress(parts: Sequence[bytes], compressor: Callable[[bytes], bytes], repeats: int) -> Compressed:
    """What becomes of `parts`, each by itself: all bytes, and the shortest time for all of them."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter_ns()
        size = sum(len(compressor(part)) for part in parts)
        times.append(time.perf_counter_ns() - start)
    return Compressed(bytes=size, nanoseconds=min(times))
