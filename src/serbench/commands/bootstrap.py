"""What every command needs first: the catalog, the build context, the limits and the run file's place."""

import os
import time
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path

from rich.console import Console
from rich.text import Text

from serbench.build.configuration import Configuration
from serbench.catalog.load import load_catalog, read_contender
from serbench.catalog.records import Catalog
from serbench.errors import UserError
from serbench.files import refuse_existing
from serbench.measure.noise import activity, disturbances, governor_warning, turbo_warning
from serbench.project import CACHE, RESULTS, ROOT
from serbench.provision.providers.installed import parse_prefixes
from serbench.provision.uses import parse_uses, with_uses
from serbench.run.context import BuildContext
from serbench.worker.bounds import most_memory
from serbench.worker.process import Limits

LOOK = 0.5
"""Seconds for which the machine is observed before a run."""
OWN_ENDINGS = (".md", ".html")
"""Endings of the reports beside a run file."""


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


def new_run_file(output: Path | None, force: bool, read: Sequence[Path | str] = ()) -> Path:
    """Return the run file's path. Raises UserError now, not after hours, if it cannot be written.

    It cannot either where it, or a report beside it, would replace a file, unless `force`, or a file that the
    run `read`s.
    """
    target = output or RESULTS / f"{datetime.now():%Y-%m-%d-%H%M%S}.json"
    if not target.name:
        raise UserError(f"cannot write {target}: it is a folder")
    if target.suffix in OWN_ENDINGS:
        raise UserError(f"{target} is the name of a report: choose a run file whose name ends in .json")
    for path in (target, *(target.with_suffix(ending) for ending in OWN_ENDINGS)):
        refuse_existing(path, force, read)
        if path.exists() and not path.is_file():
            raise UserError(f"cannot write {path}: it is not a regular file")
    return target


def look(console: Console) -> list[str]:
    """Print what else the machine does, before anything is built or measured; returns it as notes."""
    before = activity()
    time.sleep(LOOK)
    notes = [f"Before measuring: {sentence}" for sentence in disturbances(before, activity())]
    notes += [sentence for sentence in (governor_warning(), turbo_warning()) if sentence]
    for sentence in notes:
        console.print(Text(sentence), soft_wrap=True)
    return notes
