"""Documents as Markdown, and the only place where text is escaped for it."""

import re

from serbench import text
from serbench.report.document import (
    Block,
    Column,
    Document,
    Footnotes,
    Item,
    Legend,
    List,
    Paragraph,
    Section,
    Table,
    place_of_footnotes,
)

ENTITIES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "|": "&#124;"}
"""Entities rather than backslashes, which tables and HTML blocks do not take everywhere."""


def escaped(value: object) -> str:
    """Return `value` as Markdown within a line that shows it as it is: it begins no markup, HTML or cell."""
    safe = re.sub(r"[\\`*_\[\]~$]", r"\\\g<0>", text.visible(str(value)))
    return re.sub(r"[&<>|]", lambda found: ENTITIES[found[0]], safe)


def escaped_line(value: object) -> str:
    """Return `value` like `escaped`, and so that no list, heading or rule begins where it begins a line."""
    return re.sub(r"^(\s*\d*)([-+=#.)])", r"\1\\\2", escaped(value))


def markdown_of(document: Document) -> str:
    """Return `document` as Markdown, with one blank line between blocks."""
    parts = [f"# {escaped(document.title)}"] if document.title else []
    legend: dict[str, str] = {}
    for section in document.sections:
        parts += _section(section, legend)
    return "\n\n".join(parts) + "\n"


def _section(section: Section, legend: dict[str, str]) -> list[str]:
    """Return the blocks of a section; `legend` has the meanings of the columns shown so far."""
    parts = [f"{'#' * section.level} {escaped(section.title)}"] if section.title else []
    notes = Footnotes()
    last = place_of_footnotes(section)
    for number, block in enumerate(section.blocks):
        parts += _block(block, section.level, notes, legend)
        if number == last and notes.sentences:
            lines = [f"{place}. {escaped_line(note)}" for place, note in enumerate(notes.sentences, start=1)]
            parts += ["Notes:", "\n".join(lines)]
    return parts


def _block(block: Block, level: int, notes: Footnotes, legend: dict[str, str]) -> list[str]:
    if isinstance(block, Paragraph):
        emphasis = "_" if block.style == "italic" else ""
        return [f"{emphasis}{escaped(block.text) if emphasis else escaped_line(block.text)}{emphasis}"]
    if isinstance(block, Legend):
        items = [Item(name, says) for name, says in legend.items()]
        title = [f"{'#' * level} {escaped(block.title)}"] if block.title and items else []
        legend.clear()
        return [*title, *_list(List(items), "**")]
    if isinstance(block, List):
        return _list(block)
    title = [f"{'#' * (level + 1)} {escaped(block.title)}"] if block.title else []
    has_notes = any(row.notes for row in block.rows)
    for column in (*(block.columns[number] for number in block.used), *([block.notes] if has_notes else [])):
        if column.says:
            legend[_title(column, with_unit=False)] = column.says
    return [*title, *([_table(block, notes)] if block.rows else [])]


def _list(block: List, emphasis: str = "") -> list[str]:
    title = [f"{_capital(block.title)}:"] if block.title else []
    lines = [
        f"- {emphasis}{escaped_line(item.subject)}{emphasis}: {escaped(item.text)}"
        if item.subject
        else f"- {escaped_line(item.text)}"
        for item in block.items
    ]
    return [*title, *(["\n".join(lines)] if lines else [])]


def _capital(title: str) -> str:
    """Return `title` with a capital, its lines below each other."""
    return "<br>".join(escaped(line) for line in (title[:1].upper() + title[1:]).split("\n"))


def _title(column: Column, with_unit: bool = True) -> str:
    name = column.name or column.header
    return _capital(f"{name} {column.unit}".rstrip() if with_unit else name)


def _table(table: Table, notes: Footnotes) -> str:
    columns = [(table.columns[number], number) for number in table.used]
    has_notes = any(row.notes for row in table.rows)
    heads = [_title(column) for column, _ in columns] + (["Notes"] if has_notes else [])
    rules = ["----" if column.align == "left" else "---:" for column, _ in columns]
    lines = [heads, rules + (["----"] if has_notes else [])]
    for row in table.rows:
        cells = [escaped(column.show(row.cells[number])) for column, number in columns]
        lines.append([*cells, notes.marks(row.notes, ", ")] if has_notes else cells)
    made = [f"| {' | '.join(line)} |" for line in lines]
    made[1] = f"|{'|'.join(lines[1])}|"
    return "\n".join(made)
