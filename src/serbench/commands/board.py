"""`serbench board` and `collect`: the benchmark on a real board, from its project to its run file."""

import sys
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from serbench import __version__
from serbench.catalog.selection import select_rows, split
from serbench.commands.bootstrap import new_run_file
from serbench.commands.options import Contenders, Data, Output, Prefixes
from serbench.commands.outcome import write_reports
from serbench.commands.platform import documents_of, firmware_context
from serbench.errors import UserError, readable
from serbench.measure.precision import settings_for
from serbench.platforms.board import board_platform, rows_of_board
from serbench.platforms.firmware.collect import Collected, Collector
from serbench.platforms.firmware.project import write_project
from serbench.project import ROOT
from serbench.provision import Unavailable
from serbench.report import text
from serbench.report.terminal import print_line
from serbench.results.journal import complete
from serbench.results.machine import this_machine
from serbench.results.revision import own_revision
from serbench.results.schema import Run

BAUD = 115_200
DEFAULT = ("arduinojson",)
"""What was measured in 2021."""

out = Console(highlight=False)
err = Console(stderr=True, highlight=False)


def board(
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write the project.")],
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    data: Data = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
) -> None:
    """Write the benchmark for real boards as a PlatformIO project, with ArduinoJson if nothing is named."""
    context = firmware_context(prefix)
    rows = select_rows(context.catalog, contenders=split(contenders) or DEFAULT)
    documents = documents_of(data, context.store)
    chosen, lacking = [], {}
    for row in rows:
        if row.contender.manifest.role != "contender":
            continue
        try:
            chosen.append((row, context.library(row.contender.id)))
        except Unavailable as error:
            lacking[row.contender.manifest.name] = f"{row.contender.manifest.name}: {error.reason}"
    if not chosen:
        raise UserError("; ".join(lacking.values()))
    for sentence in [*lacking.values(), *write_project(ROOT, folder, chosen, documents)]:
        print_line(out, f"Left out: {sentence}")
    for sentence in (
        f"Made {text.visible(str(folder))}, for the boards in its platformio.ini. Next:",
        "  pio run -e ENVIRONMENT -t upload    (there; PlatformIO brings compiler and core)",
        "  ./serbench collect --port DEVICE    (here; with the same --data, if any)",
    ):
        print_line(out, sentence)


def collect(
    port: Annotated[str, typer.Option("--port", metavar="DEVICE", help="The board's serial port.")],
    output: Output = None,
    data: Data = [],  # noqa: B006 - typer copies its defaults
    baud: Annotated[int, typer.Option("--baud", min=300, help="The line's speed.")] = BAUD,
    timeout: Annotated[
        float, typer.Option("--timeout", min=1.0, help="Give up after so many seconds of silence.")
    ] = 30.0,
) -> None:
    """Start the benchmark on a real board, read what it says, prove it, and store a run file.

    Exit status 1 if rows did not arrive, 130 if it was interrupted; those that did arrive are kept.
    """
    began = time.monotonic()
    started = datetime.now(UTC).isoformat(timespec="seconds")
    target = new_run_file(output)
    context = firmware_context()
    documents = documents_of(data, context.store)
    with err.status("Waiting for the board") as status:
        found = _listen(port, baud, timeout, lambda said: status.update(Text(text.visible(said))))
    run = Run(
        serbench=__version__,
        revision=own_revision(ROOT),
        id=readable(target.stem),
        started=started,
        machine=this_machine({}),
        settings=settings_for("quick", sys.argv[1:], None, [], 0, True, False),
        platforms=[board_platform(ROOT, found)],
        rows=rows_of_board(context.catalog, found, documents),
        notes=found.notes,
        complete=found.complete,
        finished=datetime.now(UTC).isoformat(timespec="seconds"),
        seconds=round(time.monotonic() - began, 3),
    )
    complete(run, target)
    write_reports(run, target, out)
    _say_faults(run.notes)
    if not run.complete:
        raise typer.Exit(130 if found.interrupted else 1)


def _say_faults(notes: Sequence[str]) -> None:
    for note in notes:
        print_line(err, f"Note: {note}")


def _listen(port: str, baud: int, timeout: float, say: Callable[[str], None]) -> Collected:
    """Open the port and run the benchmark over it. Raises UserError, also if the port disappears."""
    import serial  # wanted here only

    try:
        with serial.Serial(port, baud, timeout=0.1, write_timeout=timeout) as line:
            return Collector(line, timeout, say).collect()
    except (serial.SerialException, ValueError, OSError) as error:
        raise UserError(f"the serial port {port} cannot be used: {error}") from error
