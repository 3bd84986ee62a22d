"""From catalog rows to programs that can be started: provisioning and building, with reasons kept."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from serbench.build import Builder, BuildFailed, Built
from serbench.build.configuration import Configuration, allocator_version, preload_of
from serbench.build.contract import Cross
from serbench.build.processor import need_levels
from serbench.catalog.records import Catalog, Profile, Row, SchemaFile
from serbench.datasets.spec import Spec
from serbench.datasets.store import Dataset, Store
from serbench.errors import UserError, unknown
from serbench.provision import Provided, Unavailable
from serbench.run.encoders import Encoders
from serbench.run.libraries import Libraries
from serbench.verify.encodings import Canonical
from serbench.verify.records import Subject


class BuildResult(msgspec.Struct, frozen=True, kw_only=True):
    """A row that was built, or why it was not."""

    row: Row
    configuration: Configuration
    status: Literal["ok", "failed", "unavailable", "unsupported"]
    reason: str = ""
    output: str = ""
    built: Built | None = None
    provided: Provided | None = None
    preload: tuple[str, ...] = ()
    """What makes the configuration's allocator."""

    @property
    def subject(self) -> Subject:
        """The row as the gate takes it; only for one that was built."""
        assert self.built is not None
        name = "-".join(msgspec.structs.astuple(self.configuration))
        return Subject(
            row=self.row,
            command=tuple(self.built.command),
            preload=self.preload,
            configuration="" if self.configuration == Configuration() else name,
            digest=self.built.digest,
        )


class BuildContext:
    """Provides and builds, each thing once. `jobs` things are built at a time."""

    def __init__(
        self,
        catalog: Catalog,
        cache: Path,
        configurations: Sequence[Configuration] = (Configuration(),),
        prefixes: Mapping[str, Path] | None = None,
        jobs: int = 2,
        cross: Cross | None = None,
        launcher: Sequence[str] = (),
        refused: Mapping[str, str] | None = None,
    ) -> None:
        """`cross` is the machine to build for, if it is another one, and `launcher` starts its workers here.

        `refused` has reasons why contenders are unavailable, by id. Raises UserError for a compiler or an
        allocator that is not here, and for a level that this processor does not run.
        """
        self.catalog = catalog
        self.cache = cache
        self.configurations = tuple(configurations)
        self.jobs = jobs
        need_levels({c.cpu for c in configurations})
        toolchains = dict.fromkeys(c.toolchain for c in configurations)
        for name in toolchains:
            if name and name not in catalog.compilers:
                raise unknown("compiler", name, catalog.compilers)
        self.builders = {
            name: Builder(catalog, cache, compiler=name, cross=cross, launcher=launcher)
            for name in toolchains
        }
        try:
            self._compilers = {name: builder.compilers() for name, builder in self.builders.items()}
        except BuildFailed as error:
            raise UserError(error.reason) from error
        allocators = {c.allocator: preload_of(c.allocator) for c in configurations}
        self._preloads = {name: (library,) if library else () for name, library in allocators.items()}
        self.libraries = Libraries(catalog, cache, prefixes or {}, refused or {})
        self._ready: dict[tuple[str, SchemaFile | None, Configuration], BuildResult] = {}
        # Where this is a proof alone, encoders are proved too.
        encoding: Profile = "check" if self.configurations[0].profile == "check" else "speed"
        self._encoders = Encoders(catalog, self.builder, self.library, encoding)
        self._store: Store | None = None

    def library(self, contender_id: str) -> Provided:
        """The library of a contender. Raises Unavailable with the reason and the remedy."""
        library = self.libraries.get(contender_id, self.configurations[0])
        if isinstance(library, Unavailable):
            raise library
        return library

    @property
    def builder(self) -> Builder:
        """The builder of the first configuration, which also makes tools and canonical encodings."""
        return self.builders[self.configurations[0].toolchain]

    def allocators(self) -> dict[str, str]:
        """The versions of the allocators that are preloaded, by name."""
        return {
            name: allocator_version(name, library)
            for name, found in self._preloads.items()
            for library in found
        }

    def compilers(self) -> dict[str, str]:
        """The versions of all compilers in use, by the language and the name that was asked for."""
        return {
            f"{language} ({name})" if name and len(self._compilers) > 1 else language: version
            for name, found in self._compilers.items()
            for language, version in found.items()
        }

    def toolchain(self, ready: BuildResult) -> str:
        """The name of the compiler that built a row, for example `gcc`; empty where there is no choice."""
        able, name = self.catalog.capabilities(ready.row).compilers, ready.configuration.toolchain
        if not able or name in able:
            return name if able else ""
        languages = self.catalog.harness(ready.row.language).languages
        versions = (v for language, v in self._compilers[name].items() if language in languages)
        return next(versions, "").partition(" ")[0]

    def level(self, row: Row, configuration: Configuration) -> str:
        """The level of the processor that `row` is built for; empty where there is no choice."""
        return configuration.cpu if self.catalog.capabilities(row).cpu else ""

    def applies(self, row: Row, configuration: Configuration) -> bool:
        """Whether `row` takes part in `configuration`.

        A harness takes part in those that name one of its compilers; if none does, or it has no choice of
        allocators or of levels, in the first one.
        """
        able, first = self.catalog.capabilities(row), self.configurations[0]
        named = {each.toolchain for each in self.configurations} & {*able.compilers}
        return (
            configuration.toolchain in (named or {first.toolchain})
            and (able.allocators or configuration.allocator == first.allocator)
            and (able.cpu or configuration.cpu == first.cpu)
        )

    def count(self, rows: Sequence[Row]) -> int:
        """How many workers `rows` are, in all configurations."""
        return sum(self.applies(row, configuration) for row in rows for configuration in self.configurations)

    def build(
        self,
        rows: Sequence[Row],
        done: Callable[[], None] = lambda: None,
        configuration: Configuration | None = None,
    ) -> dict[str, BuildResult]:
        """Build `rows` in a configuration, each in its first if None; others are left out.

        If a row's code is generated from a schema that is not known yet, only its library is provided.

        Every other row comes back by its id, with a reason where it could not be built; `done` is called
        as each has been tried. A library that does not build is tried again from its next source.
        """
        if configuration is None:
            found: dict[str, BuildResult] = {}
            for each in self.configurations:
                found |= self.build([row for row in rows if row.id not in found], done, each)
            return {row.id: found[row.id] for row in rows if row.id in found}
        chosen = configuration
        rows = [row for row in rows if self.applies(row, chosen)]
        self.libraries.provide(list({row.contender.id: row.contender for row in rows}.values()))
        new = [row for row in rows if (row.id, row.schema, chosen) not in self._ready]
        while new:
            outcomes = self._attempt(new, chosen, done)
            done = lambda: None  # noqa: E731 - what is tried again was counted
            failures = {
                row.contender.id: outcomes[row.id] for row in new if outcomes[row.id].status == "failed"
            }
            again = {
                name
                for name, failed in failures.items()
                if failed.provided
                and self.libraries.skip_source(name, chosen, failed.provided, failed.reason)
            }
            for row in new:
                if row.contender.id not in again:
                    self._ready[row.id, row.schema, chosen] = outcomes[row.id]
            new = [row for row in new if row.contender.id in again]
        return {row.id: self._ready[row.id, row.schema, chosen] for row in rows}

    def _attempt(
        self, rows: Sequence[Row], chosen: Configuration, done: Callable[[], None]
    ) -> dict[str, BuildResult]:
        outcomes: dict[str, BuildResult] = {}
        libraries: dict[str, Provided] = {}
        for row in rows:
            library = self.libraries.get(row.contender.id, chosen)
            if isinstance(library, Provided) and row.contender.generated and row.schema is None:
                outcomes[row.id] = BuildResult(row=row, configuration=chosen, status="ok", provided=library)
                done()
            elif isinstance(library, Provided):
                libraries[row.contender.id] = library
            else:
                outcomes[row.id] = BuildResult(
                    row=row, configuration=chosen, status="unavailable", reason=library.reason
                )
                done()
        built = self.builders[chosen.toolchain].build_all(
            [row for row in rows if row.id not in outcomes],
            libraries,
            chosen.profile,
            chosen.cpu,
            on_done=lambda _row, _built: done(),
            jobs=self.jobs,
        )
        for row in rows:
            if row.id in built:
                outcomes[row.id] = self._outcome(row, chosen, libraries[row.contender.id], built[row.id])
        return outcomes

    def _outcome(
        self, row: Row, chosen: Configuration, library: Provided, result: Built | BuildFailed
    ) -> BuildResult:
        if isinstance(result, BuildFailed):
            return BuildResult(
                row=row,
                configuration=chosen,
                status=result.status,
                reason=result.reason,
                output=result.output,
                provided=library,
            )
        preload = self._preloads[chosen.allocator] if self.catalog.capabilities(row).allocators else ()
        row = row.for_version(library.version)
        return BuildResult(
            row=row, configuration=chosen, status="ok", built=result, provided=library, preload=preload
        )

    def tool(self, name: str) -> Path:
        """A program of the project's own, such as `dataset`. Raises UserError if it cannot be built."""
        try:
            return Path(self.builder.build_tool(name, self.libraries.prefixes).command[0])
        except BuildFailed as error:
            raise UserError(f"the {name} tool cannot be built: {error.reason}") from error

    @property
    def store(self) -> Store:
        """The datasets of this cache."""
        if self._store is None:
            self._store = Store(self.cache, self.tool("dataset"))
        return self._store

    def datasets(self, specs: Sequence[Spec]) -> list[Dataset]:
        """The datasets of `specs`. Raises UserError for the first with bad input."""
        return [self.store.dataset(spec) for spec in specs]

    def encoder_rows(self, format_id: str) -> list[Row]:
        """The write rows that make a format's canonical encodings; none where a source of formats/ does."""
        return self._encoders.rows(format_id)

    def canonical(self, dataset: Dataset, format_id: str) -> Canonical:
        """The canonical encoding of a dataset in a format, or why there is none."""
        return self._encoders.encode(self.store, dataset, format_id)
