"""Runs on an emulated Linux: rows cross-built, proved under the emulator, counted and never timed."""

import shlex
import shutil
from collections.abc import Sequence
from concurrent.futures import as_completed
from pathlib import Path

import msgspec

from serbench.build.configuration import Configuration
from serbench.catalog.records import Catalog, Contender, Profile, Row
from serbench.catalog.source import Source
from serbench.datasets.spec import Spec
from serbench.datasets.store import Dataset, Store
from serbench.files import scratch
from serbench.kinds.linux.counting import count_emulated
from serbench.measure.instructions import NotCountable
from serbench.measure.records import VARIES
from serbench.platforms.load import describe_platform, need_tools
from serbench.platforms.records import LinuxPlatform
from serbench.results.schema import RowRecord
from serbench.run.context import BuildContext, BuildResult
from serbench.run.counting import Counter
from serbench.run.proving import VerifiedDataset, prove
from serbench.run.readers import referee_rows
from serbench.run.resume import known_rows, platform_differences, refuse, refuse_other_data
from serbench.run.session import RunSession
from serbench.run.tasks import measured
from serbench.verify.encodings import Canonical
from serbench.verify.proof_cache import ProofCache
from serbench.verify.records import Verdict
from serbench.worker.process import Limits, pooled

INTERRUPTED = "the run was interrupted before"


def can_cross_build(source: Source) -> bool:
    """Whether the library is compiled by us, and so can be for another processor."""
    return bool(source.files or source.cmake or source.header_only)


def cross_catalog(catalog: Catalog) -> tuple[Catalog, dict[str, str]]:
    """The catalog with the sources that can be cross-built; by id, why a contender has none of them."""
    contenders: dict[str, Contender] = {}
    reasons: dict[str, str] = {}
    for name, contender in catalog.contenders.items():
        stated = contender.manifest.source
        kept = [source for source in stated if can_cross_build(source)]
        if stated and not kept:
            names = [source.name for source in stated if source.kind == "debian-package"]
            names += ["an installed copy"] if any(source.kind == "installed" for source in stated) else []
            what = ", ".join(names)
            reasons[name] = f"has no source that can be cross-compiled: {what} is built for this machine only"
        manifest = msgspec.structs.replace(contender.manifest, source=kept or stated)
        contenders[name] = msgspec.structs.replace(contender, manifest=manifest)
    return msgspec.structs.replace(catalog, contenders=contenders), reasons


class CrossBuildContext(BuildContext):
    """Builds rows for a platform. Datasets and canonical encodings are made on this machine, by `host`."""

    def __init__(self, host: BuildContext, platform: LinuxPlatform, profiles: Sequence[Profile]) -> None:
        """Raises UserError when the platform is not set up."""
        need_tools(platform)
        catalog, refused = cross_catalog(host.catalog)
        configurations = [Configuration(profile=profile) for profile in profiles]
        super().__init__(
            catalog,
            host.cache,
            configurations,
            host.libraries.prefixes,
            host.jobs,
            cross=platform.cross,
            launcher=platform.emulator,
            refused=refused,
        )
        self.host, self.platform = host, platform

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
        with scratch() as folder:
            # A comma in the clone's path would end the plugin's name.
            plugin = Path(shutil.copy(context.tool("qemu-counter"), folder))
            verified = progress.counter("Verifying", context.count(self.rows) * len(datasets))
            arguments = self.rows, datasets, folder, self.limits, verified, self.proofs, self.first
            proven = prove(context, *arguments)
            for item in proven:
                for record, _, _ in item.rows:
                    record.platform, record.toolchain = platform.name, "gcc"
                    record.labels += platform.labels
            flags = shlex.join([*platform.flags, "-static"])
            described = describe_platform(platform, "instructions", flags)
            refuse(platform_differences(session.run, described))
            known_rows(session.run, proven, platform.name)
            session.keep(described)
            for item in proven:
                session.keep(item.record)
            known = {row.id for row in session.run.rows if row.instructions_reason != INTERRUPTED}
            jobs = [(item, *row) for item in proven for row in item.rows if row[0].id not in known]
            passed = [job for job in jobs if job[1].status == "ok"]
            counter = Counter(context, proven, self.limits, self.proofs, known)
            counter.code_sizes(progress.counter, growth=False)
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

    def _counted(self, job: Job, plugin: Path) -> RowRecord:
        """The record of a row with its instructions, or with the reason why it has none."""
        record = job[1]
        if record.status != "ok":
            return record
        record.instructions_reason = ""
        try:
            row = measured(self.context.catalog, *job)
            nm = f"{self.context.platform.tools}nm"
            found = count_emulated(row, plugin, nm, self.limits)
            record.instructions = found.instructions
            record.labels += [] if found.settled else [VARIES]
        except NotCountable as error:
            record.instructions_reason = str(error)
        return record
