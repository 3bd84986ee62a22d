"""Runs on an emulated Linux: rows cross-built, proved under the emulator, counted and never timed."""

import tempfile
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from pathlib import Path

from serbench.build import BuildFailed
from serbench.build.configuration import Configuration
from serbench.catalog.records import Catalog, Contender, Profile, Row
from serbench.datasets.spec import Spec
from serbench.datasets.store import Dataset, Store
from serbench.errors import UserError
from serbench.measure.codesize import NotMeasurable
from serbench.measure.instructions import NotCountable
from serbench.platforms.counting import count_emulated, why_not_countable
from serbench.platforms.cross import CrossBuilder, cross_catalog, describe_platform
from serbench.platforms.firmware.build import FirmwareFailed, build_plugin
from serbench.platforms.load import need_tools
from serbench.platforms.records import LinuxPlatform
from serbench.provision import Unavailable
from serbench.results.schema import RowRecord
from serbench.run.context import BuildContext, BuildResult
from serbench.run.counting import measured
from serbench.run.proving import VerifiedDataset, prove, referee_rows
from serbench.run.resume import known_rows, platform_differences, refuse, refuse_other_data
from serbench.run.session import RunSession
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


Job = tuple[VerifiedDataset, RowRecord, BuildResult, Verdict]


class LinuxRun:
    """Builds `rows`, proves them on the datasets of `specs`, and counts them, on one platform."""

    def __init__(
        self,
        context: CrossBuildContext,
        rows: Sequence[Row],
        specs: Sequence[Spec],
        limits: Limits,
        first: int = 0,
    ) -> None:
        """Its rows are numbered from `first` on."""
        self.context, self.specs, self.limits, self.first = context, specs, limits, first
        self.rows = own_rows(context, rows)
        self.proofs = ProofCache(context.cache / "proofs")

    def run(self, session: RunSession) -> None:
        """Keep every row that the session's run does not have. Raises UserError without a counter.

        After an interruption that follows a count, the rows that were not counted are kept with that reason.
        """
        context, progress, platform = self.context, session.progress, self.context.platform
        datasets = context.host.datasets(self.specs)
        refuse_other_data(session.run, datasets)
        progress.build(context, needed(context, self.rows))
        with tempfile.TemporaryDirectory(prefix="serbench-") as name:
            folder = Path(name)
            plugin = self._plugin(folder)
            verified = progress.counter("Verifying", context.count(self.rows) * len(datasets))
            arguments = self.rows, datasets, folder, self.limits, verified, self.proofs, self.first
            proven = prove(context, *arguments)
            for item in proven:
                for record, _, _ in item.rows:
                    record.platform, record.toolchain = platform.name, "gcc"
                    record.labels += platform.manifest.labels
            described = describe_platform(platform)
            refuse(platform_differences(session.run, described))
            known_rows(session.run, proven, platform.name)
            session.keep(described)
            for item in proven:
                session.keep(item.record)
            known = {row.id for row in session.run.rows if row.instructions_reason != INTERRUPTED}
            jobs = [(item, *row) for item in proven for row in item.rows if row[0].id not in known]
            passed = [job for job in jobs if job[1].status == "ok"]
            self._sizes(passed, progress.counter)
            step = progress.counter(f"Counting on {platform.name}", len(jobs))
            try:
                with pooled(context.jobs) as pool:
                    counts = [pool.submit(self._counted, job, plugin) for job in jobs]
                    for done in as_completed(counts):  # A row that is slow must not hold back the others.
                        session.keep(done.result())
                        step()
            except KeyboardInterrupt:
                if any(record.instructions is not None for _, record, _, _ in passed):
                    for _, record, _, _ in jobs:
                        # Whatever became of its worker in that moment.
                        if record.status == "ok" and record.instructions is None:
                            record.instructions_reason = INTERRUPTED
                        session.keep(record)
                raise

    def _plugin(self, folder: Path) -> Path:
        """The plugin that counts. Raises UserError where the emulator does not take it."""
        stated = self.context.platform.manifest
        try:
            plugin = build_plugin(self.context.catalog.root, stated.emulator[0], folder)
        except FirmwareFailed as error:
            raise UserError(f"{error.reason}: {error.output}") from error
        refused = why_not_countable(stated.emulator, [f"{stated.tools}gcc", *stated.flags], plugin, folder)
        if refused:
            raise UserError(
                f"{stated.emulator[0]} does not take the plugin that counts, as one that is linked "
                f"statically does not, such as Debian 13's: {refused}"
            )
        return plugin

    def _counted(self, job: Job, plugin: Path) -> RowRecord:
        """The record of a row with its instructions, or with the reason why it has none."""
        record = job[1]
        if record.status != "ok":
            return record
        record.instructions_reason = ""
        try:
            row = measured(self.context.catalog, *job)
            nm = f"{self.context.platform.manifest.tools}nm"
            found = count_emulated(row, plugin, nm, self.limits)
            record.instructions = found.instructions
            record.labels += [] if found.settled else [UNSETTLED]
        except NotCountable as error:
            record.instructions_reason = str(error)
        return record

    def _sizes(
        self,
        passed: Sequence[Job],
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
