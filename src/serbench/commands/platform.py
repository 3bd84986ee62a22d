"""`serbench run --platform NAME`: counts on emulated microcontrollers, from set-up to run file and tables."""

import fnmatch
import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from rich.console import Console

from serbench import __version__
from serbench.commands.bootstrap import new_run_file, open_catalog, open_context
from serbench.commands.outcome import conclude
from serbench.commands.progress import stages
from serbench.errors import UserError, readable, unknown
from serbench.measure.precision import settings_for
from serbench.platforms.board import board_only
from serbench.platforms.firmware.documents import Document, load_document, load_documents
from serbench.platforms.firmware.records import Library
from serbench.platforms.load import find_target, load_libraries, platforms_of
from serbench.platforms.microcontroller import FirmwareSession, as_contender, refuse_too_large
from serbench.platforms.records import Board
from serbench.project import CACHE, ROOT
from serbench.provision.providers.installed import parse_prefixes
from serbench.results.journal import complete
from serbench.results.machine import this_machine
from serbench.results.revision import own_revision
from serbench.results.schema import Count, Run


def chosen_libraries(patterns: Sequence[str]) -> list[Library]:
    """The firmware contenders that --contenders names, and the baseline. Raises UserError."""
    libraries = load_libraries(ROOT)
    names = {library.name for library in libraries if library.manifest.role == "contender"}
    wanted: set[str] = set()
    for pattern in patterns:
        found = set(fnmatch.filter(names, pattern.removeprefix("firmware/")))
        if not found:
            raise unknown("firmware contender", pattern, names)
        wanted |= found
    return [
        library
        for library in libraries
        if library.manifest.role == "baseline" or library.name in (wanted if patterns else names)
    ]


def documents_of(data: Sequence[Path]) -> list[Document]:
    """The user's documents, or the project's own if there is none. Raises UserError."""
    store = open_context(open_catalog([])).store
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
    libraries = chosen_libraries(contenders)
    prefixes = parse_prefixes(
        prefix, [as_contender(library) for library in libraries if library.manifest.source]
    )
    boards = {name: board for name, board in platforms_of(ROOT, Board).items() if name in names}
    if not names:
        raise UserError("--platform names no platform")
    if len(boards) == len(names):
        reasons = (f"{name} is board-only: {board.manifest.reason}" for name, board in boards.items())
        raise UserError("; ".join(reasons))
    emulated = [find_target(ROOT, name) for name in names if name not in boards]
    sessions = [FirmwareSession(ROOT, CACHE, found, prefixes) for found in emulated]
    target = new_run_file(output)
    documents = documents_of(data)
    for session in sessions:
        refuse_too_large(session.target, documents)
    run = Run(
        serbench=__version__,
        revision=own_revision(ROOT),
        id=readable(target.stem),
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        machine=this_machine({}),
        settings=settings_for("quick", sys.argv[1:], None, [], 0, True, False),
        notes=list(notes),
    )
    rows = sum(len(library.manifest.formats) for library in libraries if library.manifest.role == "contender")
    try:
        with stages(err) as progress:
            for session in sessions:
                counted = progress.counter(f"Counting on {session.target.name}", rows * len(documents))
                run.platforms.append(session.platform())
                session.count(libraries, documents, _keeper(run.counts, counted))
        run.complete = True
    except KeyboardInterrupt:
        if not run.counts:
            raise
    run.platforms += [board_only(board) for board in boards.values()]
    run.finished = datetime.now(UTC).isoformat(timespec="seconds")
    run.seconds = round(time.monotonic() - began, 3)
    complete(run, target)
    conclude(run, target, out, earlier)


def _keeper(counts: list[Count], counted: Callable[[], None]) -> Callable[[Count], None]:
    """Puts what it is told among `counts`, and calls `counted`."""

    def keep(count: Count) -> None:
        counts.append(count)
        counted()

    return keep
