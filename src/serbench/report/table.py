"""Tables for a terminal of any width, drawn by rich from a view.

The narrower the terminal, the fewer columns; no row and no reason is ever left out, and no line is
longer than the terminal. All text is put in as Text objects, so that nothing in a name is markup.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from serbench.report import text
from serbench.report.counted import counted_sections
from serbench.report.document import Document
from serbench.report.encodings import Encodings, encodings
from serbench.report.fidelity import console_fidelity, summary
from serbench.report.growth_show import growth_parts
from serbench.report.heap import heap_legend
from serbench.report.parts import grid, indented, plain
from serbench.report.payloads import console_payloads
from serbench.report.platform import platform_sections
from serbench.report.terminal import renderables
from serbench.report.view import Entry, View, legend, notes_of, views, why
from serbench.results.analysis import RowSummary
from serbench.results.schema import Run

GAP = 2
NARROWEST_NAME = 18
"""A name keeps its longest word whole, up to this width."""
WIDEST_NAME = 30
NARROWEST_LABELS = 36
LONG_REASON = 40
"""A reason longer than this is given in full once only."""
ORDER = (
    "rank",
    "name",
    "language",
    "version",
    "format",
    "net",
    "raw",
    "typical",
    "overhead",
    "bytes",
    "code",
    "bundle",
    "instructions",
    "allocated",
    "allocations",
    "peak",
    "notes",
    "labels",
)
ESSENTIAL = ("rank", "name", "net", "notes")
WANTED = ("overhead", "bytes", "format")
"""Added in this order as long as the name keeps a readable width."""
WELCOME = ("language", "version", "raw", "code", "bundle", "instructions", "typical", "allocations", "peak")
"""Added in this order once every name has all the room that it likes."""
LAST = "allocated"
"""Added when there is room beside all of these, names and notes in words, where these are."""

LEGEND_OF = {
    "code size": {"code"},
    "bundle": {"bundle"},
    "instructions": {"instructions"},
    "allocated": {"allocated"},
    "allocs, peak": {"allocations", "peak"},
}
"""What is explained only where a table has room for it: a legend's name, and the columns that it is about."""


@dataclass
class Column:
    """A column before its width is settled. The cells are already visible text."""

    header: str
    cells: list[str]
    right: bool = False

    @property
    def width(self) -> int:
        """Its natural width."""
        return max(cell_len(cell) for cell in [self.header, *self.cells])


def print_tables(runs: list[Run], console: Console, notes: bool = True) -> None:
    """Print the tables of all runs to `console`, at its width, in colour if it has any.

    Each run's notes stand above its tables; without `notes` the caller prints them.
    """
    for number, run in enumerate(runs):
        if number:
            console.print()
        for part in _run_parts(run, console.width, notes):
            console.print(part, highlight=False, markup=False, emoji=False)


def _run_parts(run: Run, width: int, notes: bool) -> Iterable[RenderableType]:
    started = run.started.replace("T", " ")
    yield plain(f"Run {run.id}", "bold")
    yield plain(
        f"{started} · serbench {run.serbench} · {run.machine.cpu}, {run.machine.cores} cores · "
        f"{run.settings.precision}"
        + (" · resumed" if len(run.periods) > 1 else "")
        + ("" if run.complete else " · INTERRUPTED: what is here is not all"),
        "dim",
    )
    for note in run.notes if notes else []:
        yield indented("!", note)
    if run.platforms:
        sections = platform_sections(run) if run.counts else counted_sections(run)
        yield Text()
        yield from renderables(Document(list(sections)), width)
        return
    if run.settings.growth:
        if run.fidelity:
            yield plain(summary(run), "dim")
        yield from growth_parts(run, width)
        return
    if run.fidelity or run.payloads:
        yield from _probed_parts(run, width)
    if not run.rows and (run.fidelity or run.payloads):
        return
    found = views(run)
    told: set[str] = set()
    if not found:
        yield plain("The run has no rows.")
    for view in found:
        yield Text()
        yield from _view_parts(view, run.settings.launches, width, told)
    for of_dataset in encodings(run):
        yield Text()
        yield from _encoding_parts(of_dataset)
    if found:
        yield Text()
    launches = run.settings.launches
    shown = {name for view in found for name in _chosen(_fitting(view, launches, width), width)[0]}
    allocated = [item for item in heap_legend(run).items() if item[0] == "allocated"]
    for name, sentence in [*legend(run), *allocated] if found else []:
        if shown & LEGEND_OF.get(name, shown):
            yield plain(f"{name}: {sentence}", "dim")


def _probed_parts(run: Run, width: int) -> Iterable[RenderableType]:
    if run.fidelity and (run.rows or run.payloads):
        yield plain(summary(run), "dim")
    elif run.fidelity:
        yield Text()
        yield from console_fidelity(run, width)
    if run.payloads:
        yield Text()
        yield from console_payloads(run)


def _view_parts(view: View, launches: int, width: int, told: set[str]) -> Iterable[RenderableType]:
    yield plain(view.title, "bold")
    columns = _fitting(view, launches, width)
    shown, name_width = _chosen(columns, width)
    if view.measured:
        yield _table(view.measured, columns, shown, name_width, width)
    if view.unmeasured:
        yield from _unmeasured(view.unmeasured, told)
    if "notes" in shown:
        for number, note in enumerate(view.footnotes, start=1):
            yield indented(str(number), note)
    for sentence in view.caption:
        yield plain(sentence, "dim")


def _columns(view: View, launches: int) -> dict[str, Column]:
    rows = [entry.row for entry in view.measured]
    entries = view.measured
    columns = {
        "rank": Column("rank", [e.rank for e in entries]),
        "name": Column("contender", [text.visible(e.name) for e in entries]),
        "language": Column("lang", [text.visible(r.language_name) for r in rows]),
        "version": Column("version", [text.visible(r.library_version) for r in rows]),
        "format": Column("format", [text.visible(r.format_name) for r in rows]),
        "net": Column(f"net {view.unit} ", [e.net for e in entries], right=True),
        "raw": Column(f"raw {view.unit}", [e.raw for e in entries], right=True),
        "typical": Column(f"typical {view.unit}", [e.typical for e in entries], right=True),
        "overhead": Column("× base", [e.overhead for e in entries], right=True),
        "bytes": Column("bytes", [text.count(r.bytes) for r in rows], right=True),
        "code": Column("code size", [text.count(r.code_size) for r in rows], right=True),
        "bundle": Column("bundle", [text.count(r.bundle_size) for r in rows], right=True),
        "instructions": Column("instructions", [_instructions(r) for r in rows], right=True),
        "allocated": Column("allocated", [text.count(r.heap_bytes) for r in rows], right=True),
        "allocations": Column("allocs", [text.count(r.heap_allocations) for r in rows], right=True),
        "peak": Column("peak", [text.count(r.heap_peak) for r in rows], right=True),
        "notes": Column("notes", [",".join(map(str, e.notes)) for e in entries]),
        "labels": Column("notes", [text.visible("; ".join(notes_of(r, launches))) for r in rows]),
    }
    if not view.footnotes:
        del columns["notes"], columns["labels"]
    for name in ("code", "bundle", "instructions", "allocated", "allocations", "peak"):
        if all(cell == text.NONE for cell in columns[name].cells):
            del columns[name]
    return columns


def _fitting(view: View, launches: int, width: int) -> dict[str, Column]:
    """Return the columns; names that stand for several formats say theirs if it has no room."""
    columns = _columns(view, launches)
    if view.measured and "format" not in _chosen(columns, width)[0]:
        names, formats = columns["name"].cells, columns["format"].cells
        often = {name for name, count in Counter(names).items() if count > 1}
        cells = [
            f"{name} {format}" if name in often else name for name, format in zip(names, formats, strict=True)
        ]
        columns["name"] = Column("contender", cells)
    return columns


def _instructions(row: RowSummary) -> str:
    return text.NONE if row.instructions is None else f"{row.instructions:,.0f}"


def _needed(columns: dict[str, Column], names: Iterable[str], **limits: int) -> int:
    """Return the width of these columns side by side, a column named in `limits` being at most so wide."""
    widths = [min(columns[name].width, limits.get(name, columns[name].width)) for name in names]
    return sum(widths) + GAP * (len(widths) - 1)


def _chosen(columns: dict[str, Column], width: int) -> tuple[list[str], int]:
    """Return the columns that fit into `width`, in their order, and the width of the name's."""
    shown = {name for name in ESSENTIAL if name in columns}
    words = [word for cell in columns["name"].cells for word in cell.split()]
    narrowest = min(NARROWEST_NAME, max(map(cell_len, words), default=1))
    for name in WANTED:
        if _needed(columns, shown | {name}, name=narrowest) <= width:
            shown.add(name)
    for name in WELCOME:
        if name in columns and _needed(columns, shown | {name}, name=WIDEST_NAME) <= width:
            shown.add(name)
    in_words = (shown - {"notes"}) | {"labels"}
    if "notes" in shown and _needed(columns, in_words, name=WIDEST_NAME, labels=NARROWEST_LABELS) <= width:
        shown = in_words
    limits = {"labels": NARROWEST_LABELS}
    if LAST in columns and _needed(columns, shown | {LAST}, **limits) <= width:
        shown.add(LAST)
    rest = width - _needed(columns, shown - {"name"}, **limits) - GAP
    return [name for name in ORDER if name in shown], max(1, min(columns["name"].width, rest))


def _table(
    entries: list[Entry], columns: dict[str, Column], shown: list[str], name_width: int, width: int
) -> Table:
    table = grid()
    for name in shown:
        column = columns[name]
        header = Text(column.header, justify="right" if column.right else "left")
        if name == "labels":
            table.add_column(header, overflow="fold", max_width=_rest(columns, shown, name_width, width))
        elif name == "name":
            table.add_column(header, overflow="fold", width=name_width)
        else:
            # Numbers come padded to one width, which keeps their points below each other.
            table.add_column(header, overflow="fold", width=min(column.width, width), no_wrap=True)
    ranked = True
    for number, entry in enumerate(entries):
        if ranked and entry.row.role != "contender" and number:
            table.add_section()
        ranked = entry.row.role == "contender"
        style = "" if ranked else "dim"
        table.add_row(*(_cell(columns[name], number) for name in shown), style=style)
    return table


def _cell(column: Column, number: int) -> Text:
    cell = column.cells[number]
    if column.right:
        cell = " " * (column.width - cell_len(cell)) + cell
    return Text(cell)


def _rest(columns: dict[str, Column], shown: list[str], name_width: int, width: int) -> int:
    others = _needed(columns, (n for n in shown if n not in ("name", "labels")))
    return max(1, width - others - name_width - 2 * GAP)


def _unmeasured(entries: list[Entry], told: set[str]) -> Iterable[RenderableType]:
    """Yield the rows without figures: a reason in the figures' place, and the names of all that share it.

    `told` has the reasons that an earlier table gave in full, and gets those that this one gives.
    """
    by_reason: dict[str, list[Entry]] = {}
    for entry in entries:
        by_reason.setdefault(why(entry.row), []).append(entry)
    yield plain("without figures", "bold")
    for reason, sharing in by_reason.items():
        status = sharing[0].row.status
        given = f"{status}, as above" if reason in told else reason
        yield indented("–", f"{', '.join(_names(sharing))}: {given}")
        if status in ("unavailable", "unsupported") and len(reason) > LONG_REASON:
            told.add(reason)


def _names(entries: list[Entry]) -> list[str]:
    """Return the entries' names, with the format where two would have the same."""
    names = [entry.name for entry in entries]
    return [
        f"{name} [{entry.row.format_name}]" if names.count(name) > 1 else name
        for entry, name in zip(entries, names, strict=True)
    ]


def _encoding_parts(shown: Encodings) -> Iterable[RenderableType]:
    yield plain(shown.title, "bold")
    table = grid()
    for number, header in enumerate(shown.headers):
        table.add_column(header, justify="right" if number else "left", overflow="fold")
    for cells in shown.rows:
        table.add_row(*[Text(text.visible(cell)) for cell in cells])
    yield table
    for sentence in shown.caption:
        yield plain(sentence, "dim")
