"""`serbench run --platform NAME`: counts on emulated microcontrollers, from set-up to run file and tables."""

import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from serbench import __version__
from serbench.catalog.load import load_catalog
from serbench.catalog.selection import select_rows
from serbench.commands.bootstrap import new_run_file, open_context
from serbench.commands.outcome import conclude
from serbench.commands.progress import stages
from serbench.datasets.store import Store
from serbench.errors import UserError, readable
from serbench.measure.precision import settings_for
from serbench.platforms.board import board_only
from serbench.platforms.firmware.documents import Document, load_document, load_documents
from serbench.platforms.load import find_target, need_tools, platforms_of
from serbench.platforms.microcontroller import MicrocontrollerRun
from serbench.platforms.records import Board
from serbench.project import ROOT
from serbench.results.journal import complete
from serbench.results.machine import this_machine
from serbench.results.revision import own_revision
from serbench.results.schema import RowRecord, Run
from serbench.run.context import BuildContext


def firmware_context(prefix: Sequence[str] = ()) -> BuildContext:
    """What provides the libraries of firmware contenders and reads documents. Raises UserError."""
    return open_context(load_catalog(ROOT, place="microcontroller"), prefixes=prefix)


def documents_of(data: Sequence[Path], store: Store) -> list[Document]:
    """The user's documents, or the project's own if there is none. Raises UserError."""
    if not data:
        return load_documents(ROOT, store)
    documents = [load_document(path, store) for path in data]
    names = [document.name for document in documents]
    for name in names:
        if names.count(name) > 1:
            raise UserError(f"two files are named {name}: on a platform each document's name is its own")
    return documents


def run_platform(
    names: Sequence[str],
    contenders: Sequence[str],
    data: Sequence[Path],
    prefix: Sequence[str],
    output: Path | None,
    notes: Sequence[str],
    out: Console,
    err: Console,
    earlier: Run | None = None,
) -> None:
    """Count on the platforms `names`; writes run file, with `notes`, and report, and prints tables.

    What had been counted when it is interrupted is kept; exit status 130. Of a run that repeats an `earlier`
    one it is said what else differs. Raises UserError.
    """
    began = time.monotonic()
    names = list(dict.fromkeys(names))
    for path in data:
        if not path.exists():
            raise UserError(f"there is no file '{path}'")
    context = firmware_context(prefix)
    rows = select_rows(context.catalog, contenders=contenders)
    boards = {name: board for name, board in platforms_of(ROOT, Board).items() if name in names}
    if not names:
        raise UserError("--platform names no platform")
    if len(boards) == len(names):
        reasons = (f"{name} is board-only: {board.manifest.reason}" for name, board in boards.items())
        raise UserError("; ".join(reasons))
    emulated = [find_target(ROOT, name) for name in names if name not in boards]
    for found in emulated:
        need_tools(found)
    target = new_run_file(output)
    documents = documents_of(data, context.store)
    work = [MicrocontrollerRun(context, found, rows, documents) for found in emulated]
    run = Run(
        serbench=__version__,
        revision=own_revision(ROOT),
        id=readable(target.stem),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=this_machine({}),
        settings=settings_for("quick", sys.argv[1:], None, [], 0, True, False),
        notes=list(notes),
    )
    try:
        with stages(err) as progress:
            for one in work:
                counted = progress.counter(f"Counting on {one.platform.name}", one.count)
                run.platforms.append(one.describe())
                one.measure(len(run.rows), (), _keeper(run.rows, counted))
        run.complete = True
    except KeyboardInterrupt:
        if not run.rows:
            raise
    run.platforms += [board_only(board) for board in boards.values()]
    run.finished = datetime.now(UTC).isoformat(timespec="seconds")
    run.seconds = round(time.monotonic() - began, 3)
    complete(run, target)
    conclude(run, target, out, earlier)


def _keeper(rows: list[RowRecord], counted: Callable[[], None]) -> Callable[[RowRecord], None]:
    """Puts what it is told among `rows`, and calls `counted`."""

    def keep(row: RowRecord) -> None:
        rows.append(row)
        counted()

    return keep
