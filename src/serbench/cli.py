"""The command line: its commands, and what becomes of an error."""

import contextlib
import errno
import io
import os
import signal
import sys
from collections.abc import Iterator
from typing import Annotated, Any, TextIO

import typer
from rich.console import Console
from rich.text import Text
from typer.core import TyperGroup
from typer.exceptions import TyperException

from serbench import __version__, kinds
from serbench.commands import (
    again,
    count,
    data,
    fleet,
    measuring,
    pins,
    publishing,
    reporting,
    schema,
    setting_up,
)
from serbench.errors import UserError, readable
from serbench.provision import forbid_downloads
from serbench.text import visible

FORMERLY = {"even-if-busy": "ignore-lock"}
"""Names that options had; the help has only the new ones."""


class Commands(TyperGroup):
    """Commands whose complaints about a command line show its words without control characters."""

    def invoke(self, ctx: typer.Context) -> Any:  # type: ignore[override]
        """Carry out the command that is named."""
        with _visible_complaints():
            return super().invoke(ctx)

    def parse_args(self, ctx: typer.Context, args: list[str]) -> list[str]:  # type: ignore[override]
        """Take the options that stand before it."""
        with _visible_complaints():
            return super().parse_args(ctx, args)


@contextlib.contextmanager
def _visible_complaints() -> Iterator[None]:
    try:
        yield
    except TyperException as error:
        error.message = visible(error.message)
        raise


app = typer.Typer(
    name="serbench",
    cls=Commands,
    help="Measures serialization libraries, and publishes no number that it has not proved.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="rich",
    context_settings={"token_normalize_func": lambda word: FORMERLY.get(word, word)},
)
dataset_app = typer.Typer(help="List and show datasets, or write them in a format.", no_args_is_help=True)
app.add_typer(dataset_app, name="dataset")
app.command(cls=measuring.Run)(measuring.run)
app.command()(again.resume)
app.command()(again.repeat)
app.command()(count.count)
app.command("list")(measuring.list_)
app.command()(measuring.verify)
app.command()(measuring.doctor)
app.command()(reporting.report)
app.command()(reporting.plot)
app.command()(publishing.history)
app.command()(publishing.site)
app.command()(schema.schema)
app.command()(pins.pins)
app.command()(setting_up.setup)
app.command()(setting_up.new)
app.command()(fleet.join)
app.command()(fleet.fleet)
app.command(hidden=True)(fleet.unit)
for _command in kinds.found(kinds.Command):
    app.command(rich_help_panel="Other kinds of run")(_command.function)
dataset_app.command("list")(data.dataset_list)
dataset_app.command("show")(data.dataset_show)
dataset_app.command("write")(data.dataset_write)

err = Console(stderr=True, highlight=False)


def _version(wanted: bool) -> None:
    if wanted:
        Console(highlight=False).print(f"serbench {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    _show_version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Measures serialization libraries, and publishes no number that it has not proved."""


def _say(sentence: str) -> None:
    """Show a sentence of which parts may come from a file or from the command line."""
    try:
        err.print(Text.assemble(("serbench:", "bold red"), " ", visible(readable(sentence))), soft_wrap=True)
    except OSError:  # the exit status still tells that it failed
        _forget(sys.stderr)


def _prepare_streams() -> None:
    """Let no file that is opened later pass for a standard stream that is closed. Raises UserError."""
    for number in (0, 2):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # which gets the lowest free number
    if sys.stdout is None:
        raise UserError("standard output is closed: nothing could be shown")
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a terminal of plain ASCII gets escapes, not a traceback
            stream.reconfigure(errors="backslashreplace")


def _forget(stream: TextIO) -> None:
    """Let Python not try again, at its end, to write what could not be written."""
    with contextlib.suppress(OSError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def main() -> None:
    """Run the command line; what the user can mend is one sentence and exit status 2."""
    # Being told to end is no other than Ctrl-C: what has been measured is kept.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    # These two are for the set-up (the wrapper `serbench`) first, which has had its turn.
    given = [word for word in sys.argv[1:] if word in ("--yes", "--no-install")]
    sys.argv[1:] = [word for word in sys.argv[1:] if word not in given]
    forbid_downloads("--no-install" in given)
    if sys.argv[1:2] == ["setup"]:  # the only command that has them too
        sys.argv += given
    try:
        _prepare_streams()
        try:
            app()
        finally:
            sys.stdout.flush()
    except UserError as error:
        _say(str(error))
        sys.exit(2)
    except OSError as error:
        _forget(sys.stdout)
        if error.errno == errno.EPIPE:  # who reads the output has had enough
            sys.exit(1)
        place = f"{readable(error.filename)}: " if isinstance(error.filename, str) else ""
        _say(f"{place}{error.strerror or error}")
        sys.exit(2)
    except KeyboardInterrupt:  # a second one, while the first was obeyed
        _say("interrupted")
        sys.exit(130)
    except MemoryError:
        _say("the memory that is left, or that a limit of the shell allows, is not enough")
        sys.exit(2)
    except SystemExit as end:
        # Typer makes status 130 of an interruption that no command has taken, without a word.
        cause = end.__context__ and end.__context__.__cause__
        if isinstance(cause, KeyboardInterrupt):
            _say(f"interrupted; {cause}" if str(cause) else "interrupted; nothing was measured")
        raise
    finally:
        forbid_downloads(False)  # was said of this one call
