"""The progress of a command: bars on a terminal, plain lines elsewhere."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from serbench.catalog.records import Row
from serbench.commands.live import LiveTable, Remaining
from serbench.report.terminal import print_line
from serbench.results.schema import Run
from serbench.run.context import BuildContext, BuildResult


class ProgressDisplay:
    """The progress of a command, stage by stage; plain lines when the console is no terminal."""

    def __init__(self, console: Console, progress: Progress) -> None:
        self._console = console
        self._progress = progress
        self._table: LiveTable | None = None

    def say(self, text: str) -> None:
        """Print a line that stays."""
        print_line(self._console, text)

    def build(self, context: BuildContext, rows: Sequence[Row]) -> dict[str, BuildResult]:
        """Provide and build `rows`, with a bar for each of the two."""
        contenders = list({row.contender.id: row.contender for row in rows}.values())
        found = self.counter("Libraries", len(contenders))
        context.libraries.provide(contenders, lambda _name: found())
        for reason in context.libraries.unreachable():
            advice = "libraries come from their next source; ./serbench setup tries again"
            print_line(self._console, f"{reason}: {advice}")
        built = self.counter("Building", context.count(rows))
        ready = [context.build(rows, built, configuration) for configuration in context.configurations]
        return ready[0]

    def counter(self, what: str, total: int) -> Callable[[], None]:
        """A bar of `total` steps; the function returned makes one."""
        if not self._console.is_terminal:
            self.say(f"{what} ({total}) ...")
        self._close_table()
        self._progress.start()
        task = self._progress.add_task(what, total=total)
        return lambda: self._progress.advance(task)

    def measuring(self, run: Run | None = None) -> Callable[[float, str], None]:
        """A bar for the measuring, by the share that is done, with the table of `run` so far below it.

        Nothing draws by itself as long as that is told how far the measuring is.
        """
        table = LiveTable(self._console, run)
        remaining = Remaining()
        said = 0

        def show(share: float, what: str) -> None:
            nonlocal said
            left = remaining.after(share)
            if self._console.is_terminal:
                self._stop_bars()
                self._table = table
                table.show(share, what, left)
            elif said < int(share * 5) < 5:
                said = int(share * 5)
                print_line(self._console, ", ".join(filter(None, [f"Measured {share:.0%}", left])))

        return show

    def _stop_bars(self) -> None:
        """Leave the bars so far on the terminal, and end the thread that draws them."""
        self._progress.stop()
        for task in self._progress.task_ids:
            self._progress.remove_task(task)

    def _close_table(self) -> None:
        if self._table is not None:
            self._table.close()
            self._table = None

    def close(self) -> None:
        """Leave nothing on the terminal that is still drawn."""
        self._close_table()


@contextmanager
def shown_progress(console: Console) -> Iterator[ProgressDisplay]:
    """Progress on `console` while the block lasts."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        display = ProgressDisplay(console, progress)
        try:
            yield display
        finally:
            display.close()
