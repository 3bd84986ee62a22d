"""What a report says, before it is known where it is shown: sections of tables, lists and paragraphs.

A report is a pure function from runs to sections. terminal.py, markdown.py and csv_table.py render them, and
nothing else writes a table. Text here is as its source has it: each renderer escapes it for its own medium.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from string import ascii_letters
from typing import Any, Literal

from serbench import text

Align = Literal["left", "right", "point"]
"""`point` puts the decimal points of a column below each other."""


def shown(value: object) -> str:
    """Return a cell's value as text: a dash for None, and separators between the thousands of a number."""
    if value is None:
        return text.NONE
    return text.count(value) if isinstance(value, int | float) else str(value)


@dataclass(frozen=True)
class Column:
    """A column of a table. It formats its cells, so a table is made of plain values."""

    header: str
    """As narrow as it is clear, with line breaks where it has several lines; `unit` is written behind it."""
    _: KW_ONLY
    name: str = ""
    """What it is called in Markdown and in legends; the header where it is empty."""
    unit: str = ""
    align: Align = "left"
    priority: int = 0
    """The order in which columns get room on a narrow terminal. 0: always shown.

    A column that has `least` is always shown, too: its priority says when it gets all the width it needs.
    """
    least: int = 0
    """The width to which its text may be wrapped; 0 for a column that is never wrapped."""
    most: int = 0
    """The width that is enough for it when others still need room; 0 for no limit."""
    show: Callable[[Any], str] = shown
    brief: Callable[[Any], str] | None = None
    """Shows its cells on a terminal where the table has no room for what `show` returns."""
    fit: Callable[[Any, int], str] | None = None
    """Shows its cells on a terminal on one line of a given width; a column without it is wrapped."""
    says: str = ""
    """What it means, for the legend."""
    styles: Mapping[str, str] = field(default_factory=dict)
    """Styles for a terminal by a cell's text; that of the empty text is for all others."""

    @property
    def title(self) -> str:
        """The header with its unit."""
        return f"{self.header} {self.unit}".rstrip()


NOTES = Column(
    "notes",
    priority=140,
    says="what must be known about the row; the numbers are those below the table.",
)


@dataclass
class TableRow:
    """The values of a row, one for each column."""

    cells: Sequence[Any]
    notes: Sequence[str] = ()
    """What must be known about it: footnotes, numbered by the renderer."""
    aside: bool = False
    """Whether it only gives the others their scale; such rows stand apart, below them."""


@dataclass
class Table:
    """Rows under columns. A column with a priority that has nothing in any row is left out."""

    columns: Sequence[Column]
    rows: list[TableRow] = field(default_factory=list)
    title: str = ""
    split: bool = False
    """Whether columns that have no room on a terminal follow in a table of their own, below this one."""
    notes: Column = NOTES
    """The column of the footnotes; its priority says when they stand there in words."""
    compact: bool = False
    """Whether a terminal shows it without a rule below its head and with narrow gaps."""

    @property
    def used(self) -> list[int]:
        """The numbers of the columns that have something to show."""
        nothing = ("", text.NONE)
        return [
            number
            for number, column in enumerate(self.columns)
            if not column.priority or any(column.show(row.cells[number]) not in nothing for row in self.rows)
        ]


@dataclass
class Paragraph:
    """Some sentences."""

    text: str
    style: Literal["", "dim", "italic", "bold", "bold red"] = ""


@dataclass
class Item:
    """A point of a list: its subject, which may be empty, and what is said of it."""

    subject: str
    text: str
    mark: str = "–"
    """What stands in front of it on a terminal."""


@dataclass
class List:
    """A list, under a title of its own if it has one."""

    items: Sequence[Item]
    title: str = ""


@dataclass
class Legend:
    """The meanings of all columns that were shown since the last legend; nothing where none has one."""

    title: str = ""


Block = Table | Paragraph | List | Legend


@dataclass
class Section:
    """Blocks under a title. The footnotes of its tables are numbered together and stand below the last."""

    title: str = ""
    blocks: list[Block] = field(default_factory=list)
    level: int = 2
    """The level of the heading in Markdown."""
    letters: bool = False
    """Whether its footnotes are marked with letters, which a terminal shows in one paragraph."""


@dataclass
class Document:
    """A report."""

    sections: list[Section] = field(default_factory=list)
    title: str = ""


class Footnotes:
    """The notes of a section's tables, numbered from 1, or marked with letters as far as there are any."""

    def __init__(self, letters: bool = False) -> None:
        self.sentences: list[str] = []
        self.letters = letters

    def mark(self, place: int) -> str:
        """Return what stands for the sentence at `place`."""
        if not self.letters:
            return str(place + 1)
        return ascii_letters[place] if place < len(ascii_letters) else f"[{place + 1}]"

    def marks(self, notes: Sequence[str], separator: str) -> str:
        """Return the marks of `notes` in ascending order; new ones are added."""
        self.sentences += [note for note in dict.fromkeys(notes) if note not in self.sentences]
        return separator.join(map(self.mark, sorted(self.sentences.index(note) for note in notes)))


def place_of_footnotes(section: Section) -> int:
    """Return the number of the block behind which footnotes stand: the last table or list of `section`."""
    tables = [number for number, block in enumerate(section.blocks) if isinstance(block, Table | List)]
    return tables[-1] if tables else -1
