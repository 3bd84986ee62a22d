"""What a run counted on emulated microcontrollers: tables of counts, never of times.

First each pair of a JSON and a MessagePack row side by side, with the improvement in percent and its
averages; then all libraries, document by document.
"""

import csv
import io
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Literal

import msgspec
from rich import box
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from serbench.firmware.encodings import FORMAT_NAMES
from serbench.firmware.records import Count, Platform
from serbench.report import text
from serbench.report.export import csv_field
from serbench.results.schema import Run

ARROW = " → "
HEADER = (
    *(
        "library",
        "format",
        "deserialize",
        "first call",
        "serialize",
        "first call",
        "bytes",
        "stack",
        "memory",
    ),
    *("flash", "notes"),
)
FIRST_CALLS = (3, 5)
"""Columns that a narrow terminal has no room for: a first call seldom differs, and the run file has it."""
NARROW = 100
"""Columns of a terminal up to which tables have no room for wide gaps."""
REAL_TIME = (
    "These are microseconds of a real board: of the first call, which fills its caches, and the mean of "
    "repeated ones."
)
NO_TIME = (
    "These are counts of an emulated processor, and no times: flash caches, wait states and the pipeline "
    "of a real chip are not in them (METHOD.md)."
)
CSV_COLUMNS = [
    *("name", "deserTimeJson", "deserTimeMsgPack", "serTimeJson", "serTimeMsgPack", "serSpaceJson"),
    *("serSpaceMsgPack", "unit", "platform", "libraryJson", "libraryMsgPack"),
]
"""The columns that were published in 2021, and what they need beside them: the "times" are counts here."""


class Part(msgspec.Struct, kw_only=True):
    """A table, or a paragraph when it has no rows."""

    title: str = ""
    header: list[str] = []
    rows: list[list[str]] = []
    texts: int = 1
    """How many of the first columns are no figures."""
    optional: tuple[int, ...] = ()
    """Columns left out on a narrow terminal."""
    sentences: list[str] = []


class Pair(msgspec.Struct, frozen=True, kw_only=True):
    """A JSON and a MessagePack row on the same document."""

    json: Count
    other: Count

    def improvements(self) -> tuple[float, float, float]:
        """How much less MessagePack takes, as parts: to deserialize, to serialize, and of bytes."""
        a, b = self.json, self.other
        return (
            1 - (b.deserialize or 0) / (a.deserialize or 1),
            1 - (b.serialize or 0) / (a.serialize or 1),
            1 - (b.bytes or 0) / (a.bytes or 1),
        )


def pairs(counts: Sequence[Count]) -> list[list[Pair]]:
    """The comparisons of JSON with MessagePack among the rows of one platform: one list each, by document.

    A library that has both is compared with itself; where none has, each MessagePack library is compared
    with the first JSON library.
    """
    good: dict[tuple[str, str], dict[str, Count]] = {}
    for count in counts:
        if count.status == "ok":
            good.setdefault((count.contender_id, count.format), {})[count.document] = count
    json = [name for name, format_id in good if format_id == "json"]
    other = [name for name, format_id in good if format_id == "messagepack"]
    chosen = [(name, name) for name in json if name in other] or [(json[0], name) for name in other if json]
    found = []
    for first, second in chosen:
        left, right = good[first, "json"], good[second, "messagepack"]
        found.append([Pair(json=left[name], other=right[name]) for name in left if name in right])
    return [group for group in found if group]


def _figure(number: float | None) -> str:
    return text.NONE if number is None else f"{number:,.15g}"


def _change(part: float) -> str:
    return f"{-100 * part:+.1f} %"


def _pair_part(group: Sequence[Pair], platform: Platform) -> Part:
    first = group[0]
    same = first.json.contender_id == first.other.contender_id
    names = first.json.contender if same else f"{first.json.contender}, {first.other.contender}"
    part = Part(
        title=f"JSON → MessagePack: {names} ({platform.unit}, bytes)",
        header=["document", "deserialize", "change", "serialize", "change", "bytes", "change"],
    )
    for pair in group:
        a, b = pair.json, pair.other
        cells = [a.document]
        shown = ((a.deserialize, b.deserialize), (a.serialize, b.serialize), (a.bytes, b.bytes))
        for (left, right), better in zip(shown, pair.improvements(), strict=True):
            cells += [_figure(left) + ARROW + _figure(right), _change(better)]
        part.rows.append(cells)
    real = [pair for pair in group if pair.json.real_life]
    for name, chosen in (("all, average", group), ("real-life, average", real)):
        if len(chosen) > 1:
            cells = [name]
            for parts in zip(*(pair.improvements() for pair in chosen), strict=True):
                cells += ["", _change(sum(parts) / len(chosen))]
            part.rows.append(cells)
    if not same:
        part.sentences.append("Two libraries are compared here, not one library's two formats.")
    return part


def _rows_part(document: str, counts: Sequence[Count], platform: Platform, notes: list[str]) -> Part:
    part = Part(
        title=f"{document} ({platform.unit}, bytes)",
        header=[*HEADER],
        texts=2,
        optional=FIRST_CALLS,
    )
    for count in counts:
        if count.document != document:
            continue
        names = [f"{count.contender} {count.library_version}".strip(), FORMAT_NAMES[count.format]]
        if count.status != "ok":
            note = f"{count.status}: {count.reason}"
            part.rows.append([*names, *[text.NONE] * 8, _mark(notes, [note])])
            continue
        stack = _most(count.deserialize_stack, count.serialize_stack)
        memory = _most(count.deserialize_memory, count.serialize_memory)
        figures: list[float | None] = [
            count.deserialize,
            count.deserialize_first,
            count.serialize,
            count.serialize_first,
        ]
        figures += [count.bytes, stack, memory, count.flash]
        part.rows.append([*names, *map(_figure, figures), _mark(notes, count.labels)])
    return part


def _most(first: int | None, second: int | None) -> int | None:
    return None if first is None and second is None else max(first or 0, second or 0)


def _about(platform: Platform) -> list[str]:
    """What is said of the platform in front of its tables."""
    stands = f"Stands for: {', '.join(platform.stands_for)}."
    if platform.kind == "board-only":
        return [stands, f"Board only: {platform.reason}."]
    if platform.kind == "board":
        return [f"Board: {platform.name}. Core: {platform.core}. {platform.compiler}.", REAL_TIME]
    return [f"{stands} {platform.compiler}. {platform.emulator}.", NO_TIME]


def _mark(notes: list[str], sentences: Sequence[str]) -> str:
    """The numbers of the sentences among the notes, to which new ones are added."""
    for sentence in sentences:
        if sentence not in notes:
            notes.append(sentence)
    return " ".join(str(notes.index(sentence) + 1) for sentence in sentences)


def platform_parts(run: Run) -> Iterator[Part]:
    """Everything that is said of the run's counts."""
    for platform in run.platforms:
        counts = [count for count in run.counts if count.platform == platform.name]
        yield Part(title=f"{platform.name}: {platform.title}", sentences=_about(platform))
        if platform.kind == "board-only":
            continue
        absent = {count.contender: count.reason for count in counts if count.status == "unavailable"}
        present = [count for count in counts if count.status != "unavailable"]
        for group in pairs(present):
            yield _pair_part(group, platform)
        notes: list[str] = []
        documents = list(dict.fromkeys(count.document for count in present))
        parts = [_rows_part(document, present, platform, notes) for document in documents]
        yield from parts
        closing = [f"{number}: {sentence}" for number, sentence in enumerate(notes, start=1)]
        closing += [f"unavailable: {name}: {reason}" for name, reason in absent.items()]
        closing.append(
            "stack and memory: the most that either needs; memory is what the library allocates, or its "
            "document takes of fixed memory. flash: code and constants, for reading and writing."
            if platform.kind == "emulated"
            else "memory: what the library allocates, or its document takes of fixed memory."
        )
        yield Part(sentences=closing)


def console_parts(parts: Iterable[Part], width: int) -> Iterable[RenderableType]:
    """The parts for a terminal of `width` columns."""
    for part in parts:
        yield Text()
        if part.title:
            yield Text(text.visible(part.title), style="bold")
        if part.rows:
            table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1 if width > NARROW else 0))
            shown = [n for n in range(len(part.header)) if width > NARROW or n not in part.optional]
            for n in shown:
                justify: Literal["left", "right"] = "left" if n < part.texts else "right"
                table.add_column(part.header[n], justify=justify, overflow="fold")
            for row in part.rows:
                table.add_row(*(Text(text.visible(row[n])) for n in shown))
            yield table
        for sentence in part.sentences:
            yield Text(text.visible(sentence), style="" if part.rows else "dim", overflow="fold")


def markdown_parts(run: Run, parts: Iterable[Part], escaped: Callable[[object], str]) -> str:
    """The parts of a run as Markdown; `escaped` makes a text safe there."""
    lines = [f"# Run {escaped(run.id)}", "", f"{escaped(run.started)}, serbench {escaped(run.serbench)}", ""]
    lines += [] if run.complete else ["INTERRUPTED: what is here is not all", ""]
    lines += [line for note in run.notes for line in (escaped(note), "")]
    return "\n".join(lines) + "\n" + markdown_of(parts, escaped)


def markdown_of(parts: Iterable[Part], escaped: Callable[[object], str]) -> str:
    """The parts as Markdown; `escaped` makes a text safe there."""
    lines = []
    for part in parts:
        if part.title:
            lines += [f"## {escaped(part.title)}", ""]
        if part.rows:
            lines.append("| " + " | ".join(escaped(name) for name in part.header) + " |")
            lines.append("|" + "---|" * part.texts + "---:|" * (len(part.header) - part.texts))
            lines += ["| " + " | ".join(escaped(cell) for cell in row) + " |" for row in part.rows]
            lines.append("")
        lines += [line for sentence in part.sentences for line in (escaped(sentence), "")]
    return "\n".join(lines).rstrip() + "\n"


def counts_csv(runs: Iterable[Run]) -> str:
    """Every pair as a line of the published columns."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_COLUMNS)
    for run in runs:
        for platform in run.platforms:
            for group in pairs([count for count in run.counts if count.platform == platform.name]):
                for pair in group:
                    a, b = pair.json, pair.other
                    row: list[object] = [
                        a.document,
                        a.deserialize,
                        b.deserialize,
                        a.serialize,
                        b.serialize,
                        a.bytes,
                        b.bytes,
                    ]
                    row += [platform.unit, platform.name, a.contender, b.contender]
                    writer.writerow([csv_field(value) for value in row])
    return out.getvalue()
