"""All pages of a site, made from a folder of run files."""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from serbench import kinds
from serbench.errors import UserError, readable
from serbench.files import read_regular
from serbench.publish.history.plots import charts, spec_of
from serbench.publish.history.records import History, Timeline
from serbench.publish.history.report import (
    changes_table,
    libraries_of,
    libraries_table,
    points_table,
    span_of,
    told_points,
)
from serbench.publish.history.store import run_files
from serbench.publish.history.timeline import Change, changes, history_of
from serbench.publish.site.answers import Answers, answers
from serbench.publish.site.feed import feed, sentence
from serbench.publish.site.html import Grid, grid, page, picture
from serbench.publish.site.manual import manual
from serbench.report.document import Column, Table, TableRow
from serbench.report.drawing import safe_name
from serbench.report.page.library import svg
from serbench.report.page.make import page as run_page
from serbench.report.parts import ResultSection
from serbench.results.load import LARGEST_FILE, read_again, read_run
from serbench.results.schema import Run

MONTH = timedelta(days=31)
MOST_CHANGES = 12
"""Changes of the last month on the first page."""
Pages = Iterator[tuple[str, bytes]]


class RunPage(NamedTuple):
    """A run file's page."""

    path: str
    id: str
    day: str
    machine: str
    what: str
    serbench: str


class _Site:
    """What the pages are made of."""

    def __init__(self, folder: Path, store_file: Path) -> None:
        self.folder = folder
        self.history: History = history_of(folder, store_file)
        self.timelines = self.history.timelines
        self.runs: dict[str, RunPage] = {}
        self.libraries: dict[str, str] = {}
        for timeline in self.timelines:
            for contender in libraries_of(timeline):
                name = safe_name(contender) or "library"
                taken = set(self.libraries.values())
                path = next(
                    path
                    for n in range(len(taken) + 1)
                    if (path := f"libraries/{name}{f'-{n}' if n else ''}.html") not in taken
                )
                self.libraries.setdefault(contender, path)
        self.answering = [_answering(timeline) for timeline in self.timelines]
        self.answers: dict[str, Answers] = {}

    def run_pages(self) -> Pages:
        """Yield the page of each run file, and remember what the other pages say of it."""
        known = {run.digest for timeline in self.timelines for run in timeline.runs}
        for path in run_files(self.folder):
            try:
                data = read_regular(path, LARGEST_FILE)
                digest = hashlib.sha256(data).hexdigest()
                if digest in self.runs:
                    continue
                read = read_again if digest in known else read_run
                run = read(data, readable(path.name))
            except (OSError, UserError):
                continue  # the page of the runs names it
            made = f"runs/{safe_name(run.id)[:80] or 'run'}-{digest[:8]}.html"
            self.runs[digest] = RunPage(
                made, run.id, run.started[:10], run.machine.cpu, _what(run), run.serbench
            )
            if digest in self.answering:
                self.answers[digest] = answers(run)
            yield made, run_page([run]).encode()

    def front(self, number: int) -> str:
        """Return the path of the first page about a machine."""
        return f"machine-{number + 1}.html" if number else "index.html"

    def front_pages(self) -> Pages:
        """Yield the first page about each machine."""
        machines = [(self.front(number), each.machine.title) for number, each in enumerate(self.timelines)]
        for number, timeline in enumerate(self.timelines):
            digest = self.answering[number]
            found = self.answers[digest]
            since = _month_before(timeline.runs[-1].day)
            recent = [change for change in changes(timeline) if change.run.day >= since]
            path = self.front(number)
            yield (
                path,
                page(
                    "index",
                    path,
                    "serbench results",
                    machines=machines,
                    timeline=timeline,
                    run=self.runs[digest],
                    found=found,
                    sizes=grid(found.sizes) if found.sizes else None,
                    code=grid(found.code) if found.code else None,
                    since=since,
                    recent=[self._said(change) for change in recent[:MOST_CHANGES]],
                    more=len(recent) - MOST_CHANGES,
                    libraries=self.libraries,
                ),
            )

    def _said(self, change: Change) -> tuple[str, str, str, str]:
        """Return a change's day, verdict and sentence, and the page about it."""
        path = self.libraries[change.series.contender_id]
        return change.run.day, change.point.event or "", sentence(change), path

    def list_pages(self) -> Pages:
        """Yield the lists of changes, of libraries and of runs."""
        told: list[tuple[str, Grid | None]] = []
        listed: list[tuple[str, Grid | None]] = []
        for timeline in self.timelines:
            found = changes(timeline)
            links = [self.libraries[change.series.contender_id] for change in found]
            told.append((timeline.machine.title, grid(changes_table(found), links, at=1) if found else None))
            links = [self.libraries[contender] for contender in libraries_of(timeline)]
            table = libraries_table(timeline)
            table.title = ""
            listed.append((timeline.machine.title, grid(table, links)))
        yield "changes.html", page("lists", "changes.html", "Proved changes", kind="changes", parts=told)
        yield "libraries.html", page("lists", "libraries.html", "Libraries", kind="libraries", parts=listed)
        columns = [Column(name) for name in ("day", "run", "machine", "measured", "serbench")]
        newest = sorted(self.runs.values(), key=lambda run: (run.day, run.id), reverse=True)
        rows = [TableRow([run.day, run.id, run.machine, run.what, run.serbench]) for run in newest]
        runs = grid(Table(columns, rows), [run.path for run in newest], at=1)
        left_out = self.history.left_out
        yield "runs.html", page("runs", "runs.html", "Runs", runs=runs, left_out=left_out)

    def library_pages(self) -> Pages:
        """Yield the page of each library."""
        for contender, path in self.libraries.items():
            parts = []
            for timeline in self.timelines:
                lines = libraries_of(timeline).get(contender, [])
                if not lines:
                    continue
                drawn = [
                    (chart.title, picture(svg(spec_of(timeline, chart, small=True))))
                    for chart in charts(lines)
                    if len({point.run for line in chart.lines for point in line.points}) > 1
                ]
                grids = [
                    grid(
                        points_table(timeline, line),
                        [
                            f"../{self.runs[timeline.runs[each.run].digest].path}"
                            for each in told_points(line)
                        ],
                    )
                    for line in lines
                ]
                parts.append((timeline.machine.title, len(timeline.runs), span_of(lines), drawn, grids))
                series = lines[-1].series
            yield path, page("library", path, series.contender, series=series, parts=parts)


def build(folder: Path, store_file: Path, root: Path, address: str = "") -> Pages:
    """Yield the files of the site of the run files in `folder`: their paths and what they hold.

    `root` is the project, whose documentation is part of it; `address` is where the site will be, if that is
    known: feeds need it. Raises UserError.
    """
    site = _Site(folder, store_file)
    yield from site.run_pages()
    yield from site.front_pages()
    yield from site.list_pages()
    yield from site.library_pages()
    for name, document in manual(root).items():
        path = f"manual/{name.removesuffix('.md')}.html"
        yield path, page("manual", path, document.title, body=document.html)
    found = sorted(
        (change for timeline in site.timelines for change in changes(timeline)),
        key=lambda change: change.run.started,
        reverse=True,
    )
    links = [site.libraries[change.series.contender_id] for change in found]
    yield "feed.xml", feed(found, links, address)


def _answering(timeline: Timeline) -> str:
    """Return the digest of the run with the most timed rows in the last month; of equal ones the newest."""
    since = _month_before(timeline.runs[-1].day)
    counts = dict.fromkeys(range(len(timeline.runs)), 0)
    for line in timeline.lines:
        for point in line.points:
            counts[point.run] += point.time is not None
    recent = [number for number, run in enumerate(timeline.runs) if run.day >= since]
    return timeline.runs[max(recent, key=lambda number: (counts[number], number))].digest


def _month_before(day: str) -> str:
    """Return the day a month before `day`; the beginning of time where it is no day."""
    try:
        return (date.fromisoformat(day) - MONTH).isoformat()
    except ValueError:
        return ""


def _what(run: Run) -> str:
    """Return in a few words what was measured."""
    if not run.complete:
        return "interrupted"
    if run.platforms:
        return f"emulated: {', '.join(platform.name for platform in run.platforms)}"
    rows = [row for row in run.rows if row.role == "contender" and row.status == "ok"]
    if not rows:
        probed = [part.name for part in kinds.found(ResultSection) if getattr(run, part.results)]
        return ", ".join(probed) or "nothing"
    count = len({row.contender_id for row in rows})
    return f"{count} librar{'y' if count == 1 else 'ies'} on {_names([data.name for data in run.datasets])}"


def _names(names: Sequence[str]) -> str:
    return ", ".join(names[:2]) + (f" and {len(names) - 2} more" if len(names) > 2 else "")
