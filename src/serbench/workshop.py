"""From catalog rows to programs that can be started: provisioning and building, with reasons kept."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from serbench.build import Builder, BuildFailed, Built, find_compilers
from serbench.catalog.records import Catalog, Contender, Profile, Row
from serbench.datasets.limits import beyond
from serbench.datasets.spec import Spec
from serbench.datasets.store import Dataset, Store
from serbench.errors import UserError
from serbench.provision import Provided, Unavailable, prefetch, provide
from serbench.verify.gate import Canonical
from serbench.verify.records import Subject
from serbench.worker.process import WorkerFailure


class Ready(msgspec.Struct, frozen=True, kw_only=True):
    """A row that was built, or why it was not."""

    row: Row
    status: Literal["ok", "failed", "unavailable"]
    reason: str = ""
    output: str = ""
    built: Built | None = None
    provided: Provided | None = None

    @property
    def subject(self) -> Subject:
        """The row as the gate takes it; only for one that was built."""
        assert self.built is not None
        return Subject(row=self.row, command=tuple(self.built.command))


class Workshop:
    """Provides and builds, each thing once. `jobs` things are built at a time."""

    def __init__(
        self,
        catalog: Catalog,
        cache: Path,
        profile: Profile = "speed",
        prefixes: Mapping[str, Path] | None = None,
        jobs: int = 2,
    ) -> None:
        self.catalog = catalog
        self.cache = cache
        self.profile = profile
        self.jobs = jobs
        self.compilers = find_compilers()
        self.builder = Builder(catalog, cache, compilers=self.compilers)
        self._prefixes = prefixes or {}
        self._libraries: dict[str, Provided | Unavailable] = {}
        self._ready: dict[str, Ready] = {}
        self._store: Store | None = None

    def provide(
        self, contenders: Sequence[Contender], done: Callable[[str], None] = lambda _name: None
    ) -> None:
        """Find or fetch the libraries of `contenders`; `done` is called with each one's id."""
        wanted = [c for c in contenders if c.id not in self._libraries]
        prefetch(wanted, self.cache)
        for contender in wanted:
            try:
                self._libraries[contender.id] = provide(contender, self.cache, self._prefixes)
            except Unavailable as error:
                self._libraries[contender.id] = error
            done(contender.id)

    def library(self, contender_id: str) -> Provided:
        """The library of a contender. Raises Unavailable with the reason and the remedy."""
        if contender_id not in self._libraries:
            self.provide([self.catalog.contenders[contender_id]])
        library = self._libraries[contender_id]
        if isinstance(library, Unavailable):
            raise library
        return library

    def build(
        self, rows: Sequence[Row], done: Callable[[Ready], None] = lambda _ready: None
    ) -> dict[str, Ready]:
        """Build `rows`; every row comes back by its id, with a reason where it could not be built."""
        self.provide(list({row.contender.id: row.contender for row in rows}.values()))
        new = [row for row in rows if row.id not in self._ready]
        for row in new:
            library = self._libraries[row.contender.id]
            if isinstance(library, Unavailable):
                self._keep(Ready(row=row, status="unavailable", reason=library.reason), done)
        self.builder.build_all(
            new,
            {name: library for name, library in self._libraries.items() if isinstance(library, Provided)},
            self.profile,
            on_done=lambda row, result: self._keep(self._outcome(row, result), done),
            jobs=self.jobs,
        )
        return {row.id: self._ready[row.id] for row in rows}

    def _keep(self, ready: Ready, done: Callable[[Ready], None]) -> None:
        self._ready[ready.row.id] = ready
        done(ready)

    def _outcome(self, row: Row, result: Built | BuildFailed) -> Ready:
        provided = self.library(row.contender.id)
        if isinstance(result, BuildFailed):
            return Ready(
                row=row, status="failed", reason=result.reason, output=result.output, provided=provided
            )
        return Ready(row=row, status="ok", built=result, provided=provided)

    def tool(self, name: str) -> Path:
        """A program of the project's own, `dataset` or `heap`. Raises UserError if it cannot be built."""
        try:
            return Path(self.builder.build_tool(name).command[0])
        except BuildFailed as error:
            raise UserError(f"the {name} tool cannot be built: {error.reason}") from error

    @property
    def store(self) -> Store:
        """The datasets of this cache."""
        if self._store is None:
            self._store = Store(self.cache / "datasets", self.tool("dataset"))
        return self._store

    def datasets(self, specs: Sequence[Spec]) -> list[Dataset]:
        """The datasets of `specs`. Raises UserError for the first with bad input."""
        return [self.store.dataset(spec) for spec in specs]

    def encoder_row(self, format_id: str) -> Row | None:
        """The write row that makes a format's canonical encoding; None for one with its own source."""
        name = self.catalog.formats[format_id].encoder.contender
        if name is None or name not in self.catalog.contenders:
            return None
        return Row(contender=self.catalog.contenders[name], test="write")

    def canonical(self, dataset: Dataset, format_id: str) -> Canonical:
        """The canonical encoding of a dataset in a format, or why there is none."""
        stated = self.catalog.formats[format_id]
        excess = beyond(stated.limits, dataset.facts)
        if excess is not None:
            return Canonical(reason=f"{stated.name} cannot express it: the data {excess}", unsupported=True)
        row = self.encoder_row(format_id)
        excess = beyond(row.limits, dataset.facts) if row else None
        if row is not None and excess is not None:
            name = row.contender.manifest.name
            return Canonical(reason=f"{name}, which makes the input, cannot take it: the data {excess}")
        try:
            built = self.builder.build_encoder(format_id, self.library)
            encoded = self.store.encode(dataset, format_id, built.command, built.digest)
        except (BuildFailed, Unavailable, WorkerFailure) as error:
            return Canonical(reason=f"no {stated.name} input could be made: {error.reason}")
        return Canonical(encoded=encoded, encoder=row.contender.manifest.name if row else "serbench")
