"""A comparison as a document, and as one line."""

from collections.abc import Sequence

from serbench import text
from serbench.report.compared import STYLES, Compared, Comparison, changed_counts
from serbench.report.document import Block, Column, Document, Item, List, Paragraph, Section, Table, TableRow

COLUMNS = (
    Column("row", priority=10, least=16),
    Column("new / old", align="left"),
    Column("95 % interval"),
    Column("verdict", styles=STYLES),
)


def comparison_document(found: Comparison) -> Document:
    """Return `found`: first what else differs, then the rows, then the notes."""
    head = Section(blocks=[Paragraph(f"old: {found.old}", "bold"), Paragraph(f"new: {found.new}", "bold")])
    head.blocks += [Paragraph(f"! {sentence}") for sentence in found.differences]
    if not found.rows:
        head.blocks.append(Paragraph("The two have no row in common."))
        return Document([head])
    changed = [row for row in found.rows if not (row.counted and row.ratio == 1 and not row.exact)]
    blocks: list[Block] = []
    if changed:
        blocks.append(Table(COLUMNS, [TableRow(_cells(row)) for row in changed]))
    if len(changed) < len(found.rows):
        unchanged = len(found.rows) - len(changed)
        blocks.append(Paragraph(f"Counted rows that are the same to the last digit: {unchanged}."))
    reasons = [Item(", ".join(names), reason) for reason, names in _reasons(found.rows).items()]
    changes = [Item(row.name, changed_counts(row)) for row in found.rows if row.exact]
    blocks += [List(items, title) for title, items in (("no verdict", reasons), ("counts", changes)) if items]
    blocks += [Paragraph(sentence, "dim") for sentence in [*_meaning(found), *found.notes]]
    return Document([head, Section(blocks=blocks)])


def _cells(row: Compared) -> list[str]:
    interval = f"{_ratio(row.low)} to {_ratio(row.high)}" if row.low is not None else text.NONE
    return [
        row.name,
        _ratio(row.ratio) + (" raw" if row.basis == "raw" else ""),
        interval,
        "same program" if row.control else row.verdict,
    ]


def _ratio(number: float | None) -> str:
    return text.NONE if number is None else f"{number:.3f}" if number < 100 else f"{number:.1f}"


def _reasons(rows: Sequence[Compared]) -> dict[str, list[str]]:
    """Return why rows have no verdict, each reason once with the names of its rows."""
    reasons: dict[str, list[str]] = {}
    for row in rows:
        if row.reason:
            reasons.setdefault(" ".join(row.reason.split()), []).append(row.name)
    return reasons


def _meaning(found: Comparison) -> list[str]:
    limit = text.percent(found.threshold)
    counts = (
        "Counts of emulated platforms are exact and have no interval: slower and faster are more than "
        f"{limit} more or fewer, and what differs by less is listed all the same."
    )
    times = (
        f"slower, faster: proved to be so by more than {limit}, corrected by Holm over the rows, so that "
        "at most one comparison in forty calls anything slower that is not; no difference: the whole "
        f"interval lies within {limit}; undecided: none of these, and more launches (--full) may tell. "
        "Ratios are of net times, or of raw ones where it says so."
    )
    kinds = {row.counted for row in found.rows}
    said = [*([times] if False in kinds else []), *([counts] if True in kinds else [])]
    same = sorted({what for row in found.rows for what in row.same})
    return said + ([f"Where nothing is said, these are the same in both: {', '.join(same)}."] if same else [])


def summary(found: Comparison) -> str:
    """Return one line on the outcome: how many rows got which verdict."""
    verdicts = [_cells(row)[-1] for row in found.rows]
    return ", ".join(f"{verdicts.count(name)} {name}" for name in STYLES if name in verdicts) or "no rows"
