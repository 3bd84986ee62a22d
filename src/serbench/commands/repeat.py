"""`run --like RUN` where that run counted on emulated platforms: the same rows there once more."""

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from serbench.catalog.records import Catalog
from serbench.commands import linux as linux_run
from serbench.commands import platform
from serbench.commands.like import plan_like
from serbench.errors import UserError
from serbench.measure.machine_lock import machine_lock
from serbench.platforms.firmware.documents import stated_documents
from serbench.project import ROOT
from serbench.results.schema import Run


def repeat_counts(
    earlier: Run,
    catalog: Catalog,
    data: list[Path],
    prefix: list[str],
    timeout: float,
    ignore_lock: bool,
    output: Path | None,
    out: Console,
    err: Console,
) -> None:
    """Count what the run `earlier` counted, and say what else differs.

    Raises UserError for a run of a real board, and for rows, platforms or documents that are not here.
    """
    if any(known.kind == "board" for known in earlier.platforms):
        raise UserError("that run is of a real board, whose benchmark is begun anew by ./serbench collect")
    names = [known.name for known in earlier.platforms]
    linux = linux_run.linux_platforms(names)
    if linux:
        asked = plan_like(earlier, catalog, data, sys.argv[1:])
        plan = linux_run.Plan(
            catalog=catalog,
            rows=asked.rows,
            profiles=list(dict.fromkeys(each.profile for each in asked.configurations)),
            specs=asked.specs,
            prefix=prefix,
            timeout=timeout,
        )
        with machine_lock(ignore_lock, counting=True) as notes:
            linux_run.run_linux(linux, plan, output, notes, out, err, earlier)
        return
    refuse_other_documents([count.document for count in earlier.counts], data)
    contenders = list(dict.fromkeys(count.contender_id for count in earlier.counts))
    with machine_lock(ignore_lock, counting=True) as notes:
        platform.run_platform(names, contenders, data, prefix, output, notes, out, err, earlier)


def refuse_other_documents(documents: Sequence[str], data: Sequence[Path]) -> None:
    """Raise UserError unless `data` are the user's files among the `documents` of a run."""
    own = {stated.name for stated in stated_documents(ROOT)}
    wanted = [name for name in dict.fromkeys(documents) if name not in own]
    named = [path.name for path in data]
    missing = [name for name in wanted if name not in named]
    if missing:
        raise UserError(f"the run counted the file {missing[0]}: name it with --data FILE")
    foreign = [name for name in named if name not in wanted]
    if foreign:
        raise UserError(f"the run did not count {', '.join(foreign)}")
