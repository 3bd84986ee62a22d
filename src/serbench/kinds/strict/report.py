"""Strictness as a table: what readers refuse of valid documents, take of invalid ones, and do over damage."""

from collections.abc import Callable, Sequence

from serbench import text
from serbench.report.document import Column, Paragraph, Section, Table, TableRow
from serbench.results.probes import Damage, Ending, Judged, Strict
from serbench.results.schema import Run

TITLE = "Strictness: what each reader takes and refuses"
CAPTION = (
    "Documents that the format's specification allows or forbids (formats/cases). Left to the reader: the "
    "specification lets it take them or not. Changes: it takes a valid document and finds another value. "
    "Damaged: mutations of a small document; how many it takes, and how often its process ended."
)
COLUMNS = (
    Column("reader", priority=10, least=16, most=30),
    Column("format", priority=20),
    Column("version", priority=90),
    Column("refuses valid", priority=40, least=14, most=40, styles={"": "yellow"}),
    Column("changes", priority=60, least=14, most=30, styles={"": "yellow"}),
    Column("takes invalid", priority=30, least=14, most=40, styles={"": "yellow"}),
    Column("takes what is left to it", priority=80, least=14, most=40, styles={"": "dim"}),
    Column("ends", priority=50, least=10, most=30, styles={"": "bold red"}),
    Column("damaged", priority=70, least=16, most=40),
)
ENDINGS: dict[Ending, str] = {
    "crash": "crashes",
    "bad access": "bad accesses",
    "undefined behaviour": "undefined behaviour",
    "hang": "hangs",
    "memory": "runs out of memory",
}
_SANITIZERS = {"library": "", "caller": "; the library without sanitizer", "none": "; without sanitizer"}


def name_of(record: Strict) -> str:
    """Return the name of a reader: its library, test and variant."""
    return f"{record.contender} ({', '.join(filter(None, (record.test, record.variant)))})"


def _by_kind(found: Sequence[Judged], named: bool) -> str:
    """Return cases by kind: their names, or how many there are."""
    kinds: dict[str, list[str]] = {}
    for each in found:
        kinds.setdefault(each.kind, []).append(each.case)
    if named:
        return "; ".join(f"{kind}: {', '.join(cases)}" for kind, cases in kinds.items())
    return ", ".join(f"{kind} {len(cases)}" for kind, cases in kinds.items())


def _ended(each: Judged) -> bool:
    return each.outcome in ENDINGS


SORTS: dict[str, Callable[[Judged], bool]] = {
    "refuses valid": lambda each: each.expected == "accept" and each.outcome == "refused",
    "changes": lambda each: each.expected == "accept" and each.outcome == "changed",
    "takes invalid": lambda each: each.expected == "refuse" and not _ended(each),
    "takes what is left to it": lambda each: each.expected == "either" and not _ended(each),
    "ends": _ended,
}
"""What a reader did with a case, by the column that shows it."""


def damage_of(damage: Damage | None) -> str:
    """Return in words what damaged encodings did to a reader."""
    if damage is None:
        return ""
    times = {kind: sum(end.times for end in damage.ends if end.kind == kind) for kind in ENDINGS}
    said = [f"{text.count(count)} {ENDINGS[kind]}" for kind, count in times.items() if count]
    taken = f"takes {text.percent(damage.taken / damage.tried)}" if damage.tried else ""
    tried = f"{text.count(damage.tried)} tried"
    if damage.tried < damage.wanted:
        tried += f" of {text.count(damage.wanted)}"
    return ", ".join(filter(None, [tried, taken, *said])) + _SANITIZERS[damage.sanitizer]


def cells_of(record: Strict, named: bool) -> list[str]:
    """Return a reader's cells under COLUMNS, with the names of the cases, or how many there are."""
    sorts = [_by_kind([each for each in record.judged if belongs(each)], named) for belongs in SORTS.values()]
    if record.status != "ok":
        sorts[0] = f"{record.status}: {record.reason}"
    about = [name_of(record), record.format_name or record.format, record.library_version]
    return [*about, *sorts, damage_of(record.damage)]


def strict_section(run: Run, named: bool) -> Section:
    """Return the table of all readers that were probed, by format and name."""
    records = sorted(run.strict, key=lambda each: (each.format, each.contender.casefold(), each.row))
    table = Table(COLUMNS, [TableRow(cells_of(record, named)) for record in records])
    return Section(TITLE, [table, Paragraph(CAPTION, "dim")], level=3)


def strict_summary(run: Run) -> str:
    """Return one sentence, for where the table would take too much room."""
    found = [record for record in run.strict if record.status == "ok"]
    if not found:
        return "Strictness: no reader could be probed; the report says why."

    def count(*columns: str) -> int:
        return sum(any(SORTS[name](each) for each in record.judged for name in columns) for record in found)

    said = (
        f"Strictness: of {len(found)} readers {count('takes invalid')} take some invalid documents, "
        f"{count('refuses valid', 'changes')} refuse or change some valid ones"
    )
    ended = sum(
        any(map(_ended, record.judged)) or (record.damage is not None and record.damage.ends != [])
        for record in found
    )
    if ended:
        said += f", {ended} crash, hang or use up memory over some"
    return f"{said}. The table is in the report and on the page; ./serbench strict prints it."
