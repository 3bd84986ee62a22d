"""Where a run finds what it measures: catalog, libraries and data, as the command line names them."""

import os
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path

from serbench.build.configuration import Configuration
from serbench.catalog.load import load_catalog, read_contender
from serbench.catalog.records import Catalog, Row
from serbench.catalog.selection import DEFAULT_DATASETS, split
from serbench.datasets.spec import KINDS, Spec, file_spec, messages_spec, parse_spec, unique_names
from serbench.errors import UserError
from serbench.project import CACHE, ROOT
from serbench.provision.providers.installed import parse_prefixes
from serbench.provision.uses import parse_uses, with_uses
from serbench.run.context import BuildContext
from serbench.worker.bounds import most_memory
from serbench.worker.process import Limits


def open_catalog(folders: Sequence[Path], uses: Sequence[str] = ()) -> Catalog:
    """All manifests, those of --contender and what --use makes. Raises UserError."""
    catalog = load_catalog(ROOT, list(folders))
    return with_uses(catalog, parse_uses(uses, catalog))


def open_context(
    catalog: Catalog,
    configurations: Sequence[Configuration] = (Configuration(),),
    prefixes: Sequence[str] = (),
) -> BuildContext:
    """Return the build context, with the folders that --prefix names, tools' libraries among them.

    Raises UserError.
    """
    known = [contender for contender in catalog.contenders.values() if contender.checkout is None]
    tools = [tool for harness in catalog.harnesses.values() for tool in harness.tools.values()]
    asked = {catalog.root / "contenders" / tool.library for tool in tools if tool.library}
    known += [read_contender(folder) for folder in sorted(asked) if folder.is_dir()]
    folders = parse_prefixes(prefixes, known)
    return BuildContext(catalog, CACHE, configurations, folders, jobs=os.cpu_count() or 1)


def worker_limits(timeout: float, limited: bool = True) -> Limits:
    """The limits of one worker: most of the machine's memory if that is `limited`, and --timeout.

    It is not for programs with sanitizers, which reserve far more addresses than there is memory.
    """
    return Limits(memory_bytes=most_memory() if limited else None, timeout=timeout)


class Inputs:
    """Where the rows and the data of a plan are: no run file holds that."""

    def __init__(
        self,
        folders: Sequence[Path] = (),
        uses: Sequence[str] = (),
        data: Sequence[Path] = (),
        prefixes: Sequence[str] = (),
        timeout: float = 60.0,
        ignore_lock: bool = False,
        datasets: Sequence[str] = (),
        generated: Path | None = None,
    ) -> None:
        self.folders, self.uses, self.data, self.prefixes = folders, uses, data, prefixes
        self.limits = worker_limits(timeout)
        self.ignore_lock, self.datasets, self.generated = ignore_lock, datasets, generated
        self.read: list[Path | str] = [*data, *split(datasets)]

    @cached_property
    def catalog(self) -> Catalog:
        """All manifests. Raises UserError."""
        return open_catalog(self.folders, self.uses)

    @cached_property
    def named(self) -> list[Spec]:
        """The datasets that are named; several files of data are one, of messages. Raises UserError."""
        for path in self.data:
            if not path.exists():
                raise UserError(f"there is no file '{path}'")
        named = [parse_spec(text) for text in split(self.datasets)]
        if self.data:
            named.append(file_spec(self.data[0]) if len(self.data) == 1 else messages_spec(self.data))
        return unique_names(named)

    def chosen(self, usual: Sequence[str] = DEFAULT_DATASETS) -> list[Spec]:
        """The datasets that are named, or else the `usual` ones. Raises UserError."""
        return self.named or unique_names([parse_spec(text) for text in usual])

    def context(self, configurations: Sequence[Configuration] = (Configuration(),)) -> BuildContext:
        """What builds in `configurations`. Raises UserError."""
        return open_context(self.catalog, configurations, self.prefixes)

    def rows(self, names: Sequence[str], catalog: Catalog | None = None) -> list[Row]:
        """The rows of these ids. Raises UserError for contenders that are not here."""
        known = {row.id: row for row in (catalog or self.catalog).rows(generated=True)}
        absent = list(dict.fromkeys(name.partition(":")[0] for name in names if name not in known))
        if absent:
            raise UserError(
                f"the run has rows of {', '.join(absent)} that are not here: name their folders with "
                "--contender, or their checkouts with --use"
            )
        if not names:
            raise UserError("the run has no rows to measure")
        return [known[name] for name in names]

    def specs(self, names: Sequence[str]) -> list[Spec]:
        """The datasets of these names. Raises UserError for a file that only one of them and --data names."""
        own = {spec.name: spec for spec in self.named}
        specs: list[Spec] = []
        for name in names:
            if name in own:
                specs.append(own.pop(name))
            elif name.partition(":")[0] in KINDS:
                specs.append(parse_spec(name))
            else:
                raise UserError(f"the run measured the file {name}: name it with --data FILE")
        if own:
            raise UserError(f"the run did not measure {', '.join(own)}")
        return specs
