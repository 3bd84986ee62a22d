"""What people ask first of a run: what is fastest in a language and a format, and what is smallest."""

from collections.abc import Sequence
from typing import NamedTuple

from serbench import text
from serbench.catalog.tests import KINDS
from serbench.datasets.records import DatasetRecord
from serbench.report.document import Column, Table, TableRow
from serbench.report.drawing import safe_name
from serbench.report.encodings import encodings_table
from serbench.results.analysis import analyse
from serbench.results.answer import importance
from serbench.results.candidates import BELOW_RESOLUTION, Candidate, GroupKey, candidates, winner
from serbench.results.losses import loss_labels
from serbench.results.schema import Answer, Run
from serbench.results.summary import summary_of

TESTS = list(map(str, KINDS))
MOST_TIED = 3
"""Names of tied libraries that are shown."""


class Best(NamedTuple):
    """The fastest library of a language, a format and a test."""

    library: str
    contender_id: str
    time: str
    tied: str
    """The rows that may be as fast, in words."""
    losses: list[str]
    """What it loses of the data."""
    labels: list[str]
    """All that its row says of it, losses too."""


class Languages(NamedTuple):
    """The fastest libraries of a format: a row for each language, with a cell for each test."""

    format: str
    anchor: str
    tests: list[str]
    rows: list[tuple[str, str, list[Best | None]]]
    """Language, anchor and cells."""


class Answers(NamedTuple):
    """What a run says about its main dataset."""

    answer: Answer
    dataset: str
    formats: list[Languages]
    sizes: Table | None
    code: Table | None


def answers(run: Run) -> Answers:
    """Return the answers of `run`, about the place that is most important."""
    summary = summary_of(run)
    groups = candidates(run, summary.rows)
    places = {place for place, _ in groups if not place.platform}
    main = min(places, key=lambda place: importance(run, place), default=GroupKey("", "", ""))
    found = {test: rows for (place, test), rows in groups.items() if place == main}
    dataset = next((each for each in run.datasets if each.name == main.dataset), None)
    return Answers(
        summary.answer or Answer(),
        main.dataset,
        _formats(found),
        None if dataset is None else _sizes(run, dataset),
        _code(run, main.dataset),
    )


def _formats(found: dict[str, list[Candidate]]) -> list[Languages]:
    """Return the formats, those of most rows first."""
    counts: dict[str, int] = {}
    for rows in found.values():
        for row in rows:
            counts[row.record.format_name] = counts.get(row.record.format_name, 0) + 1
    tests = sorted(found, key=lambda test: TESTS.index(test) if test in TESTS else len(TESTS))
    made = []
    taken = {"answer", "changes", "fastest", "smallest", "code"}
    for form in sorted(counts, key=lambda each: (-counts[each], each)):
        cells: dict[str, dict[str, list[Candidate]]] = {}
        ids: dict[str, tuple[str, str]] = {}
        for test in tests:
            for row in found[test]:
                if row.record.format_name == form:
                    by_test = cells.setdefault(row.record.language_name, {})
                    by_test.setdefault(test, []).append(row)
                    ids[row.record.language_name] = (row.record.format, row.record.language)
        used = [test for test in tests if any(test in by_test for by_test in cells.values())]
        anchor = _anchor(next(iter(ids.values()))[:1], taken)
        lines = [
            (name, _anchor(ids[name], taken), [_best(each.get(test, [])) for test in used])
            for name, each in sorted(cells.items())
        ]
        made.append(Languages(form, anchor, [_fastest(test) for test in used], lines))
    return made


def _anchor(names: Sequence[str], taken: set[str]) -> str:
    """Return an anchor such as `json-cpp` that is not yet taken."""
    first = safe_name(*names) or "part"
    made = next(
        each for n in range(len(taken) + 1) if (each := f"{first}-{n + 1}" if n else first) not in taken
    )
    taken.add(made)
    return made


def _fastest(test: str) -> str:
    return next((kind.fastest for name, kind in KINDS.items() if name == test), test)


def _best(rows: Sequence[Candidate]) -> Best | None:
    found = winner(rows)
    if found is None:
        return None
    best = found.best
    others = list(dict.fromkeys(each.record.contender for each in found.ties))
    others = [name for name in others if name != best.record.contender]
    more = f" and {len(others) - MOST_TIED} more" if len(others) > MOST_TIED else ""
    tied = f"tied with {', '.join(others[:MOST_TIED])}{more}" if others else ""
    losses = loss_labels(best.record)
    return Best(best.result.name, best.record.contender_id, time_of(best), tied, losses, best.result.labels)


def time_of(row: Candidate) -> str:
    """Return a row's time with its interval."""
    if row.result.at_floor:
        return BELOW_RESOLUTION
    unit, scale = text.unit_for([row.value])
    raw = " raw" if row.result.net_ns is None else ""
    spread = f" ±{text.half_width(*row.interval)}" if row.interval else ""
    return f"{text.significant(row.value / scale, 3)} {unit}{raw}{spread}"


def _sizes(run: Run, dataset: DatasetRecord) -> Table | None:
    """Return the sizes of the encodings of a dataset, with the formats' names."""
    names = {row.format: row.format_name for row in run.rows}
    table = encodings_table(dataset, detailed=False)
    for row in table.rows:
        first, *others = row.cells
        row.cells = [names.get(first, first), *others]
    return table if len(table.rows) > 1 else None


def _code(run: Run, dataset: str) -> Table | None:
    """Return the library with the least code of each language and format, where code was measured."""
    least: dict[tuple[str, str], tuple[int, str, str]] = {}
    for record, result in analyse(run):
        size = result.code_size if result.bundle_size is None else result.bundle_size
        if record.role != "contender" or record.dataset != dataset or record.platform or size is None:
            continue
        key, own = (record.format_name, record.language_name), (size, result.name, record.test)
        least[key] = min(least.get(key, own), own)
    columns = (Column("format"), Column("language"), Column("library"), Column("test"))
    table = Table([*columns, Column("bytes", align="right")])
    table.rows = [TableRow([*key, name, test, size]) for key, (size, name, test) in sorted(least.items())]
    return table if table.rows else None
