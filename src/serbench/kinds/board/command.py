"""`serbench board` and `collect`: the benchmark on a real board, from its project to its run file."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from serbench import text
from serbench.catalog.selection import select_rows, split
from serbench.commands.again import finish
from serbench.commands.bootstrap import new_run_file
from serbench.commands.carry_out import RunRequest, carry_out
from serbench.commands.options import (
    MOST_SECONDS,
    Contenders,
    Data,
    Force,
    Output,
    Prefixes,
    chosen_settings,
    refuse_others,
)
from serbench.errors import UserError
from serbench.kinds.board.project import write_project
from serbench.kinds.board.step import BoardInputs, SerialLine
from serbench.measure.records import Plan
from serbench.platforms.firmware.inputs import documents_of, firmware_context
from serbench.provision import Unavailable
from serbench.report.terminal import print_line
from serbench.run.resume import find_interrupted

BAUD, MOST_BAUD = 115_200, 20_000_000
DEFAULT = ("arduinojson",)
"""What was measured in 2021."""

out = Console(highlight=False)


def board(
    folder: Annotated[Path, typer.Option("--out", metavar="DIR", help="Where to write the project.")],
    contenders: Contenders = [],  # noqa: B006 - typer copies its defaults
    data: Data = [],  # noqa: B006
    prefix: Prefixes = [],  # noqa: B006
) -> None:
    """Write the benchmark for real boards as a PlatformIO project, with ArduinoJson if nothing is named."""
    context = firmware_context(prefix)
    rows = select_rows(context.catalog, contenders=split(contenders) or DEFAULT)
    documents = documents_of(data, context)
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
    for sentence in [*lacking.values(), *write_project(context.builder, folder, chosen, documents)]:
        print_line(out, f"Left out: {sentence}")
    for sentence in (
        f"Made {text.visible(str(folder))}, for the boards in its platformio.ini. Next:",
        "  pio run -e ENVIRONMENT -t upload    (there; PlatformIO brings compiler and core)",
        "  ./serbench collect --port DEVICE    (here; with the same --data, if any)",
    ):
        print_line(out, sentence)


def collect(
    ctx: typer.Context,
    port: Annotated[str, typer.Option("--port", metavar="DEVICE", help="The board's serial port.")],
    output: Output = None,
    force: Force = False,
    data: Data = [],  # noqa: B006 - typer copies its defaults
    baud: Annotated[int, typer.Option("--baud", min=300, max=MOST_BAUD, help="The line's speed.")] = BAUD,
    timeout: Annotated[
        float,
        typer.Option(
            "--timeout", min=1.0, max=MOST_SECONDS, help="Give up after so many seconds of silence."
        ),
    ] = 30.0,
    resume: Annotated[
        Path | None,
        typer.Option("--resume", metavar="RUN", help="Get the rows that this run file or journal lacks."),
    ] = None,
) -> None:
    """Start the benchmark on a real board, read what it says, prove it, and store a run file.

    Exit status 1 if rows did not arrive, 130 if it was interrupted; those that did arrive are kept.
    """
    inputs = BoardInputs(data, SerialLine(port, baud, timeout))
    if resume is not None:
        refuse_others(
            ctx, "--resume", "finishes a run as it was begun", ("--port", "--baud", "--data", "--timeout")
        )
        finish(find_interrupted(resume), inputs, "collect")
        return
    documents = documents_of(data, firmware_context())
    plan = Plan(kind="board", datasets=[document.name for document in documents])
    settings = chosen_settings(False, None, [], 0, True, [], plan)
    target = new_run_file(output, force, inputs.read)
    carry_out(RunRequest(settings=settings, inputs=inputs, target=target))
