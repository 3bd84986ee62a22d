"""Runs on an emulated Linux: rows cross-built, proved under the emulator, counted and never timed."""

import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from serbench.build import BuildFailed
from serbench.build.configuration import Configuration
from serbench.catalog.records import Catalog, Contender, Profile, Row
from serbench.datasets.store import Dataset, Store
from serbench.errors import UserError
from serbench.measure.codesize import NotMeasurable
from serbench.measure.instructions import NotCountable
from serbench.platforms.counting import count_emulated, why_not_countable
from serbench.platforms.cross import CrossBuilder, cross_catalog
from serbench.platforms.firmware.build import FirmwareFailed, build_plugin
from serbench.platforms.load import need_tools
from serbench.platforms.records import LinuxPlatform
from serbench.provision import Unavailable
from serbench.results.schema import RowRecord
from serbench.run.context import BuildContext, BuildResult
from serbench.run.counting import measured
from serbench.run.proving import VerifiedDataset, prove, referee_rows
from serbench.verify.encodings import Canonical
from serbench.verify.proof_cache import ProofCache
from serbench.verify.records import Verdict
from serbench.worker.process import Limits, pooled

ProgressFactory = Callable[[str, int], Callable[[], None]]
"""Told the name and the number of things to count; what it returns is called after each."""
UNSETTLED = "instruction count varies between calls"
INTERRUPTED = "the run was interrupted before"


class CrossBuildContext(BuildContext):
    """Builds rows for a platform. Datasets and canonical encodings are made on this machine, by `host`."""

    def __init__(self, host: BuildContext, platform: LinuxPlatform, profiles: Sequence[Profile]) -> None:
        """Raises UserError when the platform is not set up."""
        need_tools(platform)
        catalog, self._refused = cross_catalog(host.catalog)
        configurations = [Configuration(profile=profile) for profile in profiles]
        super().__init__(catalog, host.cache, configurations, host.prefixes, host.jobs)
        self.host, self.platform = host, platform
        self.cross = CrossBuilder(catalog, host.cache, platform)
        self.builders = {"": self.cross}

    def provide(
        self, contenders: Sequence[Contender], done: Callable[[str], None] = lambda _name: None
    ) -> None:
        """Find the libraries of `contenders`; one that cannot be cross-built is unavailable."""
        for contender in contenders:
            if contender.id in self._refused:
                self._libraries[contender.id] = Unavailable(self._refused[contender.id])
        super().provide(contenders, done)

    def tool(self, name: str) -> Path:
        """A program of the project's own, for this machine."""
        return self.host.tool(name)

    @property
    def store(self) -> Store:
        """The datasets of this cache."""
        return self.host.store

    def canonical(self, dataset: Dataset, format_id: str) -> Canonical:
        """The canonical encoding, which this machine makes."""
        return self.host.canonical(dataset, format_id)


def own_rows(context: CrossBuildContext, rows: Sequence[Row]) -> list[Row]:
    """The same rows as the platform's catalog has them, whose sources can be cross-built."""
    contenders = context.catalog.contenders
    return [Row(contender=contenders[r.contender.id], test=r.test, variant=r.variant) for r in rows]


def buildable(catalog: Catalog, rows: Sequence[Row]) -> list[Row]:
    """Those of `rows` whose harness can build for another processor."""
    return [row for row in rows if catalog.harness(row.contender.manifest.language).capabilities.cross]


def needed(context: CrossBuildContext, rows: Sequence[Row]) -> list[Row]:
    """`rows`, and the readers that may have to read back what their writers make."""
    return [*rows, *buildable(context.catalog, referee_rows(context, rows))]


class Emulation:
    """Proves and counts on one platform."""

    def __init__(self, context: CrossBuildContext, limits: Limits) -> None:
        self.context, self.limits = context, limits
        self.memory = ProofCache(context.cache / "proofs")
        self.interrupted = False

    def execute(
        self,
        root: Path,
        rows: Sequence[Row],
        datasets: Sequence[Dataset],
        verified: Callable[[], None],
        counted: ProgressFactory,
    ) -> list[VerifiedDataset]:
        """Every row on every dataset with its counts in its record. Raises UserError without a counter.

        An interruption after the first row has been counted is kept in `interrupted` and not raised.
        """
        with tempfile.TemporaryDirectory(prefix="serbench-") as name:
            folder = Path(name)
            emulator = self.context.platform.manifest.emulator[0]
            try:
                plugin = build_plugin(root, emulator, folder)
            except FirmwareFailed as error:
                raise UserError(f"{error.reason}: {error.output}") from error
            stated = self.context.platform.manifest
            compiler = [f"{stated.tools}gcc", *stated.flags]
            refused = why_not_countable(stated.emulator, compiler, plugin, folder)
            if refused:
                raise UserError(
                    f"{emulator} does not take the plugin that counts, as one that is linked statically does "
                    f"not, such as Debian 13's: {refused}"
                )
            proven = prove(self.context, rows, datasets, folder, self.limits, verified, self.memory)
            for item in proven:
                for record, _, _ in item.rows:
                    record.platform = self.context.platform.name
                    record.toolchain = "gcc"
                    record.labels += self.context.platform.manifest.labels
            passed = [(item, *row) for item in proven for row in item.rows if row[0].status == "ok"]
            self._sizes(passed, counted)
            try:
                self._instructions(passed, plugin, counted)
            except KeyboardInterrupt:
                if all(record.instructions is None for _, record, _, _ in passed):
                    raise
                self.interrupted = True
                for _, record, _, _ in passed:
                    if record.instructions is None:  # whatever became of its worker in that moment
                        record.instructions_reason = INTERRUPTED
            return proven

    def _instructions(
        self,
        passed: Sequence[tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]],
        plugin: Path,
        counted: ProgressFactory,
    ) -> None:
        step = counted(f"Counting on {self.context.platform.name}", len(passed))
        nm = f"{self.context.platform.manifest.tools}nm"

        def count(job: tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]) -> None:
            record = job[1]
            try:
                row = measured(self.context.catalog, *job)
                found = count_emulated(row, plugin, nm, self.limits)
                record.instructions = found.instructions
                record.labels += [] if found.settled else [UNSETTLED]
            except NotCountable as error:
                record.instructions_reason = str(error)
            step()

        with pooled(self.context.jobs) as pool:
            list(pool.map(count, passed))

    def _sizes(
        self,
        passed: Sequence[tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]],
        counted: ProgressFactory,
    ) -> None:
        """Code size of every contender's row and the whole of every baseline's, once for all datasets."""
        known: dict[tuple[str, Profile], tuple[int | None, str]] = {}
        chosen = [
            (record, ready) for _, record, ready, _ in passed if record.role in ("contender", "baseline")
        ]
        step = counted("Linking for code size", len(chosen))
        for record, ready in chosen:
            key = record.row, ready.configuration.profile
            if key not in known:
                known[key] = self._size(ready)
            size, record.code_size_reason = known[key]
            if record.role == "baseline":
                record.whole_size = size
            else:
                record.code_size = size
            step()

    def _size(self, ready: BuildResult) -> tuple[int | None, str]:
        catalog, row, cross = self.context.catalog, ready.row, self.context.cross
        manifest, profile = row.contender.manifest, ready.configuration.profile
        harness = catalog.harnesses[catalog.harness_of(manifest.language)]
        baseline = Row(contender=catalog.contenders[harness.baseline], test=row.test)
        assert ready.provided is not None
        try:
            if manifest.role == "baseline":
                return cross.whole_size(row, ready.provided, profile), ""
            return cross.code_size(row, ready.provided, baseline, profile), ""
        except (BuildFailed, NotMeasurable) as error:
            return None, f"not measurable: {error}"
