"""What a terminal shows while a run measures: how far it is, and the table of the group at work.

It is drawn when it is told how far the run is, which is between launches, and by no thread of its own: while
a worker is timed nothing here runs.
"""

import time
from collections.abc import Callable

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from serbench.report.brief import latest_table
from serbench.report.document import Document, Section
from serbench.report.terminal import plain, renderables
from serbench.results.schema import Run
from serbench.text import bar

AROUND = 8
"""Lines of a terminal that are not for rows."""
KNOWN_FROM = 0.02
"""The share from which on the remaining time is a fair guess."""


class Remaining:
    """How long the rest of the measuring takes, by what was done since the first time it was asked for.

    What was done before then, in a run that is resumed, took none of this time.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._first: tuple[float, float] | None = None

    def after(self, share: float) -> str:
        """Return in words how long the rest takes if this `share` is done; empty as long as too little is."""
        now = self._clock()
        self._first = self._first or (share, now)
        known, begun = self._first
        done = (share - known) / (1 - known) if known < 1 else 1.0
        if done < KNOWN_FROM:
            return ""
        seconds = round((now - begun) * (1 - done) / done)
        return f"about {seconds // 60}:{seconds % 60:02} left"


class LiveTable:
    """The measuring of `run` on a terminal; without a run, no table stands below the bar."""

    def __init__(self, console: Console, run: Run | None = None) -> None:
        self._console = console
        self._run = run
        self._live = Live(console=console, auto_refresh=False, transient=True, vertical_overflow="crop")

    def show(self, share: float, what: str, left: str) -> None:
        """Draw that the `share` of the measuring is done, now `what` is measured, and how long is `left`."""
        self._live.start()
        self._live.update(self._drawn(share, what, left), refresh=True)

    def close(self) -> None:
        """Leave the terminal as it was."""
        self._live.stop()

    def _drawn(self, share: float, what: str, left: str) -> RenderableType:
        words = [f"Measuring {share:.0%}", bar(share, 20).ljust(20, "·"), left, what]
        head = plain("  ".join(filter(None, words)), "bold")
        hint = plain("Ctrl-C ends the run; what has been measured is kept.", "dim")
        most = max(1, self._console.size.height - AROUND)
        table = latest_table(self._run, most) if self._run is not None else None
        if table is None:
            return Group(head, hint)
        drawn = renderables(Document([Section(blocks=[table])]), self._console.width)
        return Group(head, hint, Text(), *drawn)
