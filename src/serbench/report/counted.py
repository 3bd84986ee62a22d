"""What a run counted on its platforms: a section for each, with counts in the place of times."""

from collections.abc import Iterator, Sequence

from serbench import text
from serbench.report.document import Column, Item, Legend, List, Paragraph, Section, Table, TableRow
from serbench.report.pairs import pair_blocks, pairs_of
from serbench.report.view import notes_of, per_message, reason_of, why
from serbench.results.analysis import RowSummary, grouped
from serbench.results.platform_metrics import PLATFORM_METRICS
from serbench.results.schema import Platform, Run
from serbench.results.summary import Group

NO_TIME = (
    "These are counts of an emulated processor, and no times: caches, wait states and the pipeline of a real "
    "one are not in them (METHOD.md)."
)
REAL_TIME = (
    "These are microseconds of a real board: of the first call, which fills its caches, and the mean of "
    "repeated ones."
)


COLUMNS = (
    Column("contender", priority=10, least=12, most=30),
    Column("version", priority=35),
    Column("format"),
    *(
        Column(
            metric.short,
            align="right",
            priority=metric.priority or 0,
            show=metric.show or text.exact,
            says=metric.meaning,
        )
        for metric in PLATFORM_METRICS
    ),
)
"""Those that a group has something of are shown."""


def counted_sections(run: Run, rows: Sequence[RowSummary]) -> Iterator[Section]:
    """Yield everything that is said of the `rows` of each platform of `run`, those with the least work first.

    In the profile `size` a table begins with the smallest code size, where that is known.
    """
    for platform in run.platforms:
        own = [row for row in rows if row.record.platform == platform.name]
        shared = _shared(own)
        section = Section(f"{platform.name}: {platform.title}")
        section.blocks += [Paragraph(sentence) for sentence in [*_about(platform), *shared]]
        for pairs in pairs_of(run, platform.name):
            section.blocks += pair_blocks(pairs, platform)
        for group, members in grouped(own).items():
            table = _table(group, members, platform, shared)
            section.blocks += [table] if table.rows else [table, Paragraph("No row was counted.")]
        without = _without(own)
        section.blocks += [List(without, "not counted")] if without else []
        section.blocks.append(Legend())
        yield section


def _about(platform: Platform) -> list[str]:
    """Return what is said of the platform in front of its tables."""
    stands = f"Stands for: {', '.join(platform.stands_for)}."
    if platform.kind == "board-only":
        return [stands, f"Board only: {platform.reason}."]
    if platform.kind == "board":
        return [f"Board: {platform.name}. Core: {platform.core}. {platform.compiler}.", REAL_TIME]
    return [f"{stands} {platform.compiler}, {platform.flags}. {platform.emulator}.", NO_TIME]


def _work(row: RowSummary) -> float | None:
    """Return what a row is counted by; None where it was not counted."""
    return row.record.metrics.get("deserialize", row.result.instructions)


def _shared(rows: Sequence[RowSummary]) -> list[str]:
    """Return the labels that all counted rows have, as sentences."""
    counted = [row.result.labels for row in rows if _work(row) is not None]
    return [label for label in counted[0] if all(label in labels for labels in counted)] if counted else []


def _table(group: Group, rows: list[RowSummary], platform: Platform, shared: Sequence[str]) -> Table:
    title = f"{' · '.join(group[:3])}{per_message(rows[0].result.messages)} ({platform.unit}, bytes)"
    counts = {row.result.id: row.result.instructions for row in rows}

    def place(row: RowSummary) -> tuple[bool, float, float, int]:
        size = float(row.result.code_size or 0) if group.profile == "size" else 0.0
        return row.record.role != "contender", size, _work(row) or 0.0, row.result.id

    shown: list[TableRow] = []
    for summary in sorted((row for row in rows if _work(row) is not None), key=place):
        record, result = summary
        whole, get = result.instructions, record.metrics.get
        base = None if result.baseline is None else counts[result.baseline]
        aside = record.role == "baseline"
        net, ratio = (whole - base, f"{whole / base:.2f}") if whole and base else (None, None)
        cells = [
            # The variant of a second format says no more than the next column but one.
            record.contender if record.variant == record.format else result.name,
            record.library_version,
            text.NONE if aside else record.format_name,
            net,
            whole,
            ratio,
            *(get(f"{call}{which}") for call in ("deserialize", "serialize") for which in ("", "_first")),
            result.bytes,
            result.code_size,
            *(_most(get(f"deserialize_{what}"), get(f"serialize_{what}")) for what in ("stack", "memory")),
            get("flash"),
        ]
        shown.append(TableRow(cells, [note for note in notes_of(summary, 0) if note not in shared], aside))
    used = [n for n in range(len(COLUMNS)) if any(row.cells[n] not in (None, "") for row in shown)]
    for row in shown:
        row.cells = [row.cells[n] for n in used]
    return Table([COLUMNS[n] for n in used], shown, title)


def _most(first: float | None, second: float | None) -> float | None:
    return None if first is None and second is None else max(first or 0, second or 0)


def _without(rows: Sequence[RowSummary]) -> list[Item]:
    """Return who has no figures and why: each reason once, with the rows that share it."""
    sharing: dict[str, list[str]] = {}
    for row in rows:
        record, result = row
        if _work(row) is None and not (record.role == "baseline" and record.variant):
            reason = reason_of(record, result) if result.status == "ok" else why(result)
            where = "" if result.status == "unavailable" else f" ({record.test}, {record.dataset})"
            told = record.variant not in ("", record.format) and result.status != "unavailable"
            variant = f" {record.variant}" if told else ""
            name = f"{record.contender}{variant} [{record.format_name}]{where}"
            sharing.setdefault(reason, []).append(name)
    return [Item(", ".join(dict.fromkeys(names)), reason) for reason, names in sharing.items()]
