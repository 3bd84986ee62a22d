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
from serbench.report.terminal import print_line
from serbench.run.context import BuildContext, BuildResult
from serbench.text import visible


class ProgressDisplay:
    """The progress of a command, stage by stage; plain lines when the console is no terminal."""

    def __init__(self, console: Console, progress: Progress) -> None:
        self._console = console
        self._progress = progress

    def say(self, text: str) -> None:
        """Print a line that stays."""
        print_line(self._console, text)

    def _say(self, text: str) -> None:
        if not self._console.is_terminal:
            self.say(text)

    def build(self, context: BuildContext, rows: Sequence[Row]) -> dict[str, BuildResult]:
        """Provide and build `rows`, with a bar for each of the two."""
        contenders = list({row.contender.id: row.contender for row in rows}.values())
        found = self.counter("Libraries", len(contenders))
        context.provide(contenders, lambda _name: found())
        for reason in context.unreachable():
            advice = "libraries come from their next source; ./serbench setup tries again"
            print_line(self._console, f"{reason}: {advice}")
        wanted = context.count(rows)
        built = self.counter("Building", wanted)
        ready = [context.build(rows, built, configuration) for configuration in context.configurations]
        count = sum(item.status == "ok" for items in ready for item in items.values())
        self._say(f"Built {count} of {wanted} workers.")
        return ready[0]

    def counter(self, what: str, total: int) -> Callable[[], None]:
        """A bar of `total` steps; the function returned makes one."""
        self._say(f"{what} ({total}) ...")
        task = self._progress.add_task(what, total=total)
        return lambda: self._progress.advance(task)

    def measuring(self) -> Callable[[float, str], None]:
        """A bar for the measuring, by the share that is done."""
        task = None
        said = -1

        def show(share: float, what: str) -> None:
            nonlocal task, said
            if task is None:
                task = self._progress.add_task("Measuring", total=1.0)
                self._say("Measuring ...")
            self._progress.update(task, completed=share, description=f"Measuring {visible(what)}")
            if int(share * 10) > said:
                said = int(share * 10)
                self._say(f"Measured {share:.0%}")

        return show


@contextmanager
def stages(console: Console) -> Iterator[ProgressDisplay]:
    """Progress on `console` while the block lasts."""
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        TaskProgressColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(compact=True),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        yield ProgressDisplay(console, progress)
