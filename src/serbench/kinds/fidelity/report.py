"""Fidelity as a table: what each library's decoded objects carry, and which values it changes or refuses."""

from serbench.report.document import Column, Paragraph, Section, Table, TableRow
from serbench.results.probes import Carried, CarriedKind, Fate, Fidelity
from serbench.results.schema import Run

TITLE = "Fidelity: what each library changes, refuses or adds"
CAPTION = (
    "Found by writing and reading each value, and by inspecting decoded records. Values are named as "
    "in a program of their language. "
    "Reading: in bytes that another library of the format wrote. Another form: the same value as another "
    "type. Values that a format's schema cannot have are left out."
)
NOTHING = "nothing"
_CARRIED: dict[CarriedKind, str] = {
    "class": "class",
    "prototype": "prototype",
    "getter": "getters",
    "wrapper": "wrapper",
    "renamed": "renamed",
    "own": "own properties",
    "inherited": "inherited",
    "missing": "missing",
    "changed": "changed",
}
_PLACES = {"": "", "write": "writing ", "read": "reading "}


COLUMNS = (
    Column("contender", priority=10, least=12, most=26),
    Column("format", priority=20),
    Column("version", priority=90),
    Column("carries", priority=40, least=20, most=50),
    Column("changes silently", priority=30, least=30, most=50, styles={"": "yellow"}),
    Column("refuses", priority=50, least=20, most=30),
    Column("sets a prototype", priority=60, least=12, most=20, styles={"": "bold red"}),
    Column("another form", priority=70, least=24, most=40, styles={"": "dim"}),
)


def name_of(record: Fidelity) -> str:
    """Return the name of a library, with its variant if it has one."""
    return f"{record.contender} ({record.variant})" if record.variant else record.contender


def cells_of(record: Fidelity) -> list[str]:
    """Return a library's cells under COLUMNS; empty text where there is nothing to say."""
    carries = [] if record.status == "ok" else [f"{record.status}: {record.reason}"]
    if record.status == "ok" or record.values:
        carries.append(_carried(record.carries) or NOTHING)
    return [
        *(name_of(record), record.format_name or record.format, record.library_version, "; ".join(carries)),
        _grouped(_with_mark(record.values, "changed")),
        _refused(record.values),
        _grouped(_with_mark(record.values, "polluted"), arrow=False),
        _grouped(_with_mark(record.values, "form")),
    ]


def _with_mark(fates: list[Fate], mark: str) -> list[tuple[str, str]]:
    """Return the values with `mark` and what came back: of the own round trip, or of a peer's bytes."""
    found = []
    for fate in fates:
        if fate.mark == mark:
            found.append((fate.probe, fate.found))
        elif fate.peer_mark == mark and mark != "form" and fate.mark != "polluted":
            found.append((f"reading {fate.probe}", fate.peer_found))
    return found


def _grouped(values: list[tuple[str, str]], arrow: bool = True) -> str:
    """Return values with the same outcome side by side: `NaN, Infinity → null; -0 → 0`."""
    by_outcome: dict[str, list[str]] = {}
    for name, outcome in values:
        by_outcome.setdefault(outcome, []).append(name)
    return "; ".join(
        ", ".join(names) + (f" → {outcome}" if arrow and outcome else "")
        for outcome, names in by_outcome.items()
    )


def _refused(fates: list[Fate]) -> str:
    by_place: dict[str, list[str]] = {}
    for fate in fates:
        if fate.mark in ("refused", "failed"):
            place = "the process ends over " if fate.mark == "failed" else _PLACES[fate.at]
            by_place.setdefault(place, []).append(fate.probe)
    return "; ".join(place + ", ".join(names) for place, names in by_place.items())


def _carried(found: list[Carried]) -> str:
    parts = []
    for kind, label in _CARRIED.items():
        by_what: dict[str, list[str]] = {}
        for each in found:
            if each.kind == kind:
                by_what.setdefault(each.what, []).append(each.where or "root")
        said = [f"{', '.join(sorted(set(places)))}: {what}" for what, places in by_what.items()]
        if said:
            parts.append(f"{label} ({'; '.join(said)})")
    return ", ".join(parts)


def summary(run: Run) -> str:
    """Return one sentence, for where the table would take too much room."""
    found = [record for record in run.fidelity if record.status == "ok"]
    if not found:
        return "Fidelity: no library could be probed; the report says why."
    changing = sum(bool(_with_mark(record.values, "changed")) for record in found)
    polluted = [name_of(record) for record in found if _with_mark(record.values, "polluted")]
    said = f"Fidelity: {changing} of {len(found)} libraries change some values silently"
    if polluted:
        said += f", {len(polluted)} let the data set an object's prototype ({', '.join(polluted)})"
    return f"{said}. The table is in the report and on the page; ./serbench fidelity prints it."


def fidelity_section(run: Run, _detailed: bool = False) -> Section:
    """Return a table for each language, as each has values of its own; libraries in the order of the run."""
    languages: dict[str, list[TableRow]] = {}
    for record in run.fidelity:
        languages.setdefault(record.language, []).append(TableRow(cells_of(record)))
    several = len(languages) > 1
    tables = [Table(COLUMNS, rows, name if several else "") for name, rows in languages.items()]
    return Section(TITLE, [*tables, Paragraph(CAPTION, "dim")], level=3)
