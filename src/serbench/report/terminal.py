"""Documents on a terminal of any width, drawn by rich.

The narrower the terminal, the fewer columns; no row and no note is left out, and no line is longer than the
terminal. All text is put in as Text objects, so nothing in a name is markup.
"""

import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from rich import box
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from serbench import text
from serbench.report.document import (
    Column,
    Document,
    Footnotes,
    Legend,
    List,
    Paragraph,
    Section,
    Table,
    TableRow,
    place_of_footnotes,
)

DEFAULT_WIDTH = 80
GAP = 2
LEAST_NOTES = 36
"""Columns that footnotes need to stand in the table in words."""
_FIGURE = re.compile(r"(\(?[^\d.]{0,2}[\d,]+)(\.\d+)?(.*?)(\)?)")


def print_document(document: Document, console: Console) -> None:
    """Print `document` to `console`, at its width, in colour if it has any."""
    for part in renderables(document, console.width):
        console.print(part, highlight=False, markup=False, emoji=False)


def print_line(console: Console, line: str, style: str = "") -> None:
    """Print one line, unbroken; control characters, such as those of a hostile name, are made visible."""
    console.print(Text(text.visible(line), style), soft_wrap=True)


def terminal_text(document: Document, width: int | None = None) -> str:
    """Return `document` as plain text, no line longer than `width` (80 if None)."""
    out = io.StringIO()
    console = Console(file=out, width=width or DEFAULT_WIDTH, color_system=None, force_terminal=False)
    print_document(document, console)
    return "".join(line.rstrip() + "\n" for line in out.getvalue().splitlines())


def renderables(document: Document, width: int) -> Iterator[RenderableType]:
    """Yield what rich prints of `document`."""
    legend: dict[str, str] = {}
    for number, section in enumerate(document.sections):
        parts = list(_section(section, width, legend))
        yield from [Text(), *parts] if number and parts else parts


def _section(section: Section, width: int, legend: dict[str, str]) -> Iterator[RenderableType]:
    """Yield a section; `legend` has the meanings of the columns shown so far."""
    if section.title:
        yield plain(section.title, "bold")
    notes = Footnotes(section.letters)
    last = place_of_footnotes(section)
    for number, block in enumerate(section.blocks):
        if isinstance(block, Paragraph):
            yield plain(block.text, block.style)
        elif isinstance(block, List):
            if block.title:
                yield plain(block.title, "bold")
            for item in block.items:
                yield _indented(item.mark, f"{item.subject}: {item.text}" if item.subject else item.text)
        elif isinstance(block, Legend):
            if legend and block.title:
                yield plain(block.title, "bold")
            for name, says in legend.items():
                yield plain(f"{name}: {says}", "dim")
            legend.clear()
        else:
            if block.title:
                if number:
                    yield Text()
                yield plain(block.title, "bold")
            yield from _table(block, width, notes, legend)
        if number == last and section.letters:
            said = [f"{notes.mark(place)} {sentence}" for place, sentence in enumerate(notes.sentences)]
            yield from [Text(), plain("   ".join(said), "dim")] if said else []
        elif number == last:
            for place, sentence in enumerate(notes.sentences):
                yield _indented(notes.mark(place), sentence)


def plain(sentence: str, style: str = "") -> Text:
    """Return a sentence in which nothing is markup."""
    return Text(text.visible(sentence), style=style, overflow="fold")


def _indented(mark: str, sentence: str) -> Grid:
    """Return a sentence behind a mark such as a number, its further lines below its first."""
    grid = Grid.grid(padding=(0, 1))
    grid.add_column(justify="right", width=max(2, len(mark)), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(mark), Text(text.visible(sentence)))
    return grid


def aligned(cells: Sequence[str]) -> list[str]:
    """Return figures padded to one width, so that their decimal points stand below each other.

    Brackets around a figure and what stands behind it, such as its interval, are aligned, too. A dash ends
    where the whole parts end, and other text where the figures end.
    """
    found = [_FIGURE.fullmatch(cell) for cell in cells]
    parts = [match.groups(default="") for match in found if match]
    whole, point, rest, close = (max((len(part[n]) for part in parts), default=0) for n in range(4))
    width = max([whole + point + rest, *(cell_len(cell) for cell in cells if not _FIGURE.fullmatch(cell))])
    made = []
    for cell, match in zip(cells, found, strict=True):
        if match:
            a, b, c, d = match.groups(default="")
            made.append((a.rjust(whole) + b.ljust(point) + c.rjust(rest)).rjust(width) + d.ljust(close))
        elif cell == text.NONE:
            made.append(cell.rjust(width - point - rest).ljust(width + close))
        else:
            made.append(" " * (width - cell_len(cell)) + cell + " " * close)
    return made


@dataclass
class _Shown:
    """A column with its cells as visible text."""

    column: Column
    cells: list[str]
    values: Sequence[Any] = ()

    @property
    def natural(self) -> int:
        """The width that it needs so that nothing is wrapped."""
        return max(cell_len(cell) for cell in [text.visible(self.column.title), *self.cells])

    def padded(self, number: int, wide: int) -> str:
        """Return a cell for `wide` columns, with its decimal point below those of the others."""
        cell = self.cells[number]
        if self.column.fit is not None:
            return text.visible(self.column.fit(self.values[number], wide))
        return " " * (self.natural - cell_len(cell)) + cell if self.column.align == "point" else cell

    @property
    def least(self) -> int:
        """The width below which it cannot be shown."""
        return min(self.natural, self.column.least or self.natural)

    @property
    def enough(self) -> int:
        """The width that satisfies it when others still need room."""
        return min(self.natural, self.column.most or self.natural)


def _shown(table: Table, numbers: Iterable[int], brief: bool) -> list[_Shown]:
    made = []
    for number in numbers:
        column = table.columns[number]
        show = column.brief if brief and column.brief else column.show
        cells = [text.visible(show(row.cells[number])) for row in table.rows]
        values = [row.cells[number] for row in table.rows]
        made.append(_Shown(column, aligned(cells) if column.align == "point" else cells, values))
    return made


def _total(widths: Iterable[int], gap: int = GAP) -> int:
    """Return the width of columns side by side."""
    found = list(widths)
    return sum(found) + gap * max(0, len(found) - 1)


def _fitted(
    columns: Sequence[_Shown], marked: bool, words: _Shown | None, width: int, gap: int
) -> tuple[dict[int, int], bool]:
    """Return the widths of the columns that fit, by their number, and whether notes stand there in words.

    Columns get room in the order of their priority. The last of `columns` are the marks of the footnotes if
    the table is `marked`; `words` are these notes where they may stand in the table.
    """
    widths = {n: c.least for n, c in enumerate(columns) if c.column.least or not c.column.priority}
    if marked:
        widths[len(columns) - 1] = columns[-1].natural
    in_words = False
    for number, column in sorted(enumerate(columns), key=lambda pair: pair[1].column.priority):
        others = [wide for n, wide in widths.items() if n != number]
        left = width - _total(others, gap) - gap
        if marked and number == len(columns) - 1:
            in_words = words is not None and left >= LEAST_NOTES
            widths[number] = LEAST_NOTES if in_words else widths[number]
        elif number in widths:  # one that is wrapped gets what there is
            widths[number] = max(widths[number], min(left, column.enough))
        elif column.natural <= left:
            widths[number] = column.natural
    shown = [words if in_words and words and n == len(columns) - 1 else c for n, c in enumerate(columns)]
    for number in sorted(widths):  # what is left, or lacks, is for those that are wrapped
        left = width - _total(widths.values(), gap)
        if left > 0:
            widths[number] += min(left, shown[number].natural - widths[number])
        elif columns[number].column.least:
            widths[number] = max(1, widths[number] + left)
    return dict(sorted(widths.items())), in_words


def _table(table: Table, width: int, notes: Footnotes, legend: dict[str, str]) -> Iterator[RenderableType]:
    used = table.used
    brief = _total(column.enough for column in _shown(table, used, brief=False)) > width
    columns = _shown(table, used, brief)
    if table.split:
        first, *others = columns
        while others:
            count = 1
            while count < len(others) and _total(c.enough for c in [first, *others[: count + 1]]) <= width:
                count += 1
            shown = [(c, c.enough) for c in [first, *others[:count]]]
            yield _grid(table.rows, shown, width, table.compact)
            others = others[count:]
        return
    words = None
    marked = any(row.notes for row in table.rows)
    if marked:
        if not notes.letters:
            words = _Shown(table.notes, [text.visible("; ".join(row.notes)) for row in table.rows])
        start = list(notes.sentences)
        columns.append(
            _Shown(table.notes, [notes.marks(row.notes, "" if notes.letters else ",") for row in table.rows])
        )
    gap = 1 if table.compact else GAP
    widths, in_words = _fitted(columns, marked, words, width, gap)
    if in_words and words:
        notes.sentences = start
        columns[-1] = words
    for number in widths:
        column = columns[number].column
        if column.says and columns[number] is not words:
            legend[column.header] = column.says
    always = [shown.least for shown in columns if shown.column.least or not shown.column.priority]
    least = _total(always, gap)
    if least > width and table.columns[-1].least:
        yield from _stacked(table.rows, columns)
    else:
        shown = [(columns[number], wide) for number, wide in widths.items()]
        yield _grid(table.rows, shown, width, table.compact)


def _style(column: Column, cell: str) -> str:
    return column.styles.get(cell.strip(), column.styles.get("", ""))


def _grid(rows: Sequence[TableRow], columns: Sequence[tuple[_Shown, int]], width: int, compact: bool) -> Grid:
    """Return a table of `columns` with their widths."""
    grid = Grid(
        box=None if compact else box.SIMPLE_HEAD,
        show_edge=False,
        pad_edge=False,
        collapse_padding=True,
        padding=(0, 1),
        header_style="bold",
        show_header=any(shown.column.header for shown, _ in columns),
    )
    too_wide = _total((wide for _, wide in columns), 1 if compact else GAP) > width
    for shown, wide in columns:
        right = shown.column.align != "left"
        title = Text(text.visible(shown.column.title), justify="right" if right else "left")
        fits = wide >= shown.natural and not too_wide
        grid.add_column(
            title,
            overflow="fold",
            width=min(wide, width) if fits else None,
            max_width=max(1, wide),
            no_wrap=fits,
            justify="right" if shown.column.align == "right" else "left",
        )
    for number, row in enumerate(rows):
        if row.aside and number and not rows[number - 1].aside:
            grid.add_section()
        cells = [
            Text(shown.padded(number, wide), _style(shown.column, shown.cells[number]))
            for shown, wide in columns
        ]
        grid.add_row(*cells, style="dim" if row.aside else "")
    return grid


def _stacked(rows: Sequence[TableRow], columns: Sequence[_Shown]) -> Iterator[RenderableType]:
    """Yield a row as lines: its narrow cells beside each other, and below them those that are wrapped."""
    wrapped = [shown for shown in columns[1:] if shown.column.least]
    for number in range(len(rows)):
        beside = [shown for shown in columns if shown not in wrapped and shown.cells[number].strip()]
        parts = [Text(s.cells[number], _style(s.column, s.cells[number])) for s in beside]
        yield Text("  ").join(parts)
        for shown in wrapped:
            cell = shown.cells[number]
            if cell and cell != text.NONE:
                name = f"{shown.column.header}: " if len(wrapped) > 1 else ""
                yield Padding(Text(name + cell, _style(shown.column, cell), overflow="fold"), (0, 0, 0, 3))
